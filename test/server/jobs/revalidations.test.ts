import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createRevalidations, type Revalidations } from '../../../src/server/jobs/index.js'

let now = 0
let revalidations: Revalidations

beforeEach(() => {
  now = 1_000_000
  revalidations = createRevalidations({ clock: () => now, random: () => 0 })
})
afterEach(async () => {
  vi.useRealTimers()
  await revalidations.close()
})

const turn = () => new Promise((resolve) => setImmediate(resolve))
const fail = async () => {
  throw new Error('still down')
}
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

async function failAgain() {
  revalidations.schedule('page', fail)
  await turn()
  return revalidations.lastFailure('page')!
}

it('renews a key once, however many ask meanwhile', async () => {
  const finish: (() => void)[] = []
  const make = vi.fn(() => new Promise<void>((resolve) => finish.push(resolve)))
  for (let asked = 0; asked < 50; asked++) revalidations.schedule('page', make)
  await turn()
  expect(make).toHaveBeenCalledTimes(1)
  finish[0]!()
  await turn()
  revalidations.schedule('page', make)
  await turn()
  expect(make).toHaveBeenCalledTimes(2)
  finish[1]!()
})

it('waits twice as long after each failure in a row, up to an hour', async () => {
  const pauses = []
  for (let count = 0; count < 9; count++) {
    const failure = await failAgain()
    expect(failure).toMatchObject({ failedAt: now, error: { message: 'still down' } })
    pauses.push(failure.retryAt - failure.failedAt)
    now = failure.retryAt
  }
  expect(pauses.map((pause) => pause / 1_000)).toEqual([30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600])
})

it('does nothing for a key during its pause, and everything for another', async () => {
  const { retryAt } = await failAgain()
  const make = vi.fn(async () => undefined)
  now = retryAt - 1
  revalidations.schedule('page', make)
  revalidations.schedule('other', make)
  await turn()
  expect(make).toHaveBeenCalledTimes(1)
  now = retryAt
  revalidations.schedule('page', make)
  await turn()
  expect(make).toHaveBeenCalledTimes(2)
})

it('forgets failures with the first success', async () => {
  now = (await failAgain()).retryAt
  now = (await failAgain()).retryAt
  revalidations.schedule('page', async () => undefined)
  await turn()
  expect(revalidations.lastFailure('page')).toBeUndefined()
  const failure = await failAgain()
  expect(failure.retryAt - failure.failedAt).toBe(30_000)
})

it('leaves a fifth of each pause to chance', async () => {
  await revalidations.close()
  revalidations = createRevalidations({ clock: () => now, random: () => 0.5 })
  const failure = await failAgain()
  expect(failure.retryAt - failure.failedAt).toBe(27_000)
})

it('runs at most so many at the same time, lets some wait, and leaves the rest to whoever asks next', async () => {
  await revalidations.close()
  revalidations = createRevalidations({ concurrency: 2, queue: 3 })
  const started: string[] = []
  const finish: (() => void)[] = []
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
    revalidations.schedule(key, () => {
      started.push(key)
      return new Promise((resolve) => finish.push(resolve))
    })
  }
  await turn()
  expect(started).toEqual(['a', 'b'])
  for (let done = 0; done < 5; done++) {
    finish[done]!()
    await turn()
  }
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e'])
})

it('aborts a renewal at its deadline and counts that as a failure', async () => {
  await revalidations.close()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  revalidations = createRevalidations({ clock: () => now, timeoutMs: 5_000 })
  revalidations.schedule('page', untilAborted)
  await vi.advanceTimersByTimeAsync(4_999)
  expect(revalidations.lastFailure('page')).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(revalidations.lastFailure('page')).toMatchObject({ error: { code: 'ETIMEOUT' } })
})

it('aborts what runs and drops what waits when it is closed, and starts nothing more', async () => {
  await revalidations.close()
  revalidations = createRevalidations({ concurrency: 1 })
  const waiting = vi.fn(async () => undefined)
  let hasEnded = false
  revalidations.schedule('running', async (signal) => {
    await untilAborted(signal).catch(turn)
    hasEnded = true
    throw signal.reason
  })
  revalidations.schedule('waiting', waiting)
  await turn()
  await revalidations.close()
  expect(hasEnded).toBe(true)
  revalidations.schedule('late', waiting)
  await turn()
  expect(waiting).not.toHaveBeenCalled()
  expect(revalidations.lastFailure('running')).toBeUndefined()
})
