import { constants } from 'node:os'
import { expect, it, vi } from 'vitest'
import { createDiskState } from '../../../../src/server/store/local/memory-fallback.js'

const withCode = (code: unknown) => Object.assign(new Error('failed'), { code })

function newDisk() {
  const [onFailed, onWorking] = [vi.fn(), vi.fn()]
  return { disk: createDiskState({ onFailed, onWorking }), onFailed, onWorking }
}

it.each([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EIO',
  'EACCES',
  'ENOENT',
  'EMFILE',
  // lmdb uses the numbers of the system, and its own MAP_FULL.
  constants.errno.ENOSPC,
  constants.errno.EIO,
  -30_792,
])('an error with the code %s is one of the disk, reported once until writing works again', (code) => {
  const { disk, onFailed, onWorking } = newDisk()
  const error = withCode(code)
  disk.markFailed(error)
  disk.markFailed(error)
  expect(disk.isWritable()).toBe(false)
  expect(onFailed.mock.calls).toEqual([[error]])
  disk.markWorking()
  disk.markWorking()
  expect([disk.isWritable(), onWorking.mock.calls.length]).toEqual([true, 1])
})

it.each([
  ['an argument of Node', withCode('ERR_INVALID_ARG_TYPE')],
  ['a value out of range', withCode('ERR_OUT_OF_RANGE')],
  ['a key that is too long for lmdb', withCode(-30_781)],
  ['a file name that is too long', withCode('ENAMETOOLONG')],
  ['an aborted request', new DOMException('aborted', 'AbortError')],
  ['no code', new TypeError('a mistake')],
  ['no error', 'text'],
])('an error of %s is thrown, and the disk is still writable', (_, error) => {
  const { disk, onFailed } = newDisk()
  expect(() => disk.markFailed(error)).toThrow(error)
  expect([disk.isWritable(), onFailed.mock.calls.length]).toEqual([true, 0])
})
