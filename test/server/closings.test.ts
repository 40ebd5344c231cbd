import { expect, it } from 'vitest'
import { closeAfterFailure, closeAll } from '../../src/server/closings.js'

function openParts() {
  const closed: string[] = []
  const close = (name: string, failure?: Error) => async () => {
    closed.push(name)
    if (failure) throw failure
  }
  const failures = [new Error('the browser hangs'), new Error('the disk is full')]
  return {
    closed,
    failures,
    closings: [close('folder'), close('store', failures[1]), close('browser', failures[0]), close('app')],
  }
}

it('releases every part, the last one first, although one fails', async () => {
  const { closed, failures, closings } = openParts()
  await expect(closeAll(closings)).rejects.toBe(failures[0])
  expect(closed).toEqual(['app', 'browser', 'store', 'folder'])
})

it('reports why the start failed, whatever fails afterwards', async () => {
  const { closed, closings } = openParts()
  const failure = new Error('the port is in use')
  await expect(closeAfterFailure(closings, failure)).rejects.toBe(failure)
  expect(closed).toHaveLength(4)
})
