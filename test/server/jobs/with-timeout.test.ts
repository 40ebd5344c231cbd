import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { followSignals } from '../../../src/server/jobs/index.js'

it('aborts with the reason of the first signal that aborts', () => {
  const [one, other] = [new AbortController(), new AbortController()]
  const { signal } = followSignals([one.signal, other.signal])
  other.abort(new Error('first'))
  one.abort(new Error('second'))
  expect(signal.reason).toEqual(new Error('first'))
})

it('is aborted from the start when one of the signals is', () => {
  expect(followSignals([new AbortController().signal, AbortSignal.abort('why')]).signal.reason).toBe('why')
})

it('leaves nothing in the signals once it is released', () => {
  const source = new AbortController()
  const { signal, release } = followSignals([source.signal])
  expect(getEventListeners(source.signal, 'abort')).toHaveLength(1)
  release()
  expect(getEventListeners(source.signal, 'abort')).toHaveLength(0)
  source.abort()
  expect(signal.aborted).toBe(false)
})
