import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { PageError } from '../../../src/query/index.js'
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

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
const fail = async () => {
  throw new Error('still down')
}
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

async function failOnce() {
  revalidations.schedule('page', 'client', fail)
  await nextTurn()
  return revalidations.lastFailure('page')!
}

it('runs once per key, however many requests schedule it meanwhile', async () => {
  const finish: (() => void)[] = []
  const revalidate = vi.fn(() => new Promise<void>((resolve) => finish.push(resolve)))
  for (let request = 0; request < 50; request++) revalidations.schedule('page', 'client', revalidate)
  await nextTurn()
  expect(revalidate).toHaveBeenCalledTimes(1)
  finish[0]!()
  await nextTurn()
  now += 60_000
  revalidations.schedule('page', 'client', revalidate)
  await nextTurn()
  expect(revalidate).toHaveBeenCalledTimes(2)
  finish[1]!()
})

it('starts a key at most once a minute', async () => {
  const revalidate = vi.fn(async () => undefined)
  for (const elapsedMs of [0, 20_000, 39_999, 1]) {
    now += elapsedMs
    revalidations.schedule('page', 'client', revalidate)
    await nextTurn()
  }
  expect(revalidate).toHaveBeenCalledTimes(2)
})

it('lets another client start at once what the first one had no quota for', async () => {
  const revalidate = vi.fn(async () => undefined)
  revalidations.schedule('page', 'client', async () => {
    throw new PageError('ERATE', 'The daily limit is reached.')
  })
  await nextTurn()
  expect(revalidations.lastFailure('page')).toBeUndefined()
  revalidations.schedule('page', 'client', revalidate)
  await nextTurn()
  expect(revalidate).toHaveBeenCalledTimes(1)
})

it('doubles the retry delay with each failure in a row, up to an hour', async () => {
  const delays = []
  for (let count = 0; count < 9; count++) {
    const failure = await failOnce()
    expect(failure).toMatchObject({ failedAt: now, error: { message: 'still down' } })
    delays.push(failure.retryAt - failure.failedAt)
    now = failure.retryAt
  }
  expect(delays.map((delay) => delay / 1_000)).toEqual([60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600])
})

it('ignores a key during its retry delay, but no other key', async () => {
  const { retryAt } = await failOnce()
  const revalidate = vi.fn(async () => undefined)
  now = retryAt - 1
  revalidations.schedule('page', 'client', revalidate)
  revalidations.schedule('other', 'client', revalidate)
  await nextTurn()
  expect(revalidate).toHaveBeenCalledTimes(1)
  now = retryAt
  revalidations.schedule('page', 'client', revalidate)
  await nextTurn()
  expect(revalidate).toHaveBeenCalledTimes(2)
})

it('resets the retry delay after a success', async () => {
  now = (await failOnce()).retryAt
  now = (await failOnce()).retryAt
  revalidations.schedule('page', 'client', async () => undefined)
  await nextTurn()
  now += 60_000
  expect(revalidations.lastFailure('page')).toBeUndefined()
  const failure = await failOnce()
  expect(failure.retryAt - failure.failedAt).toBe(60_000)
})

it('randomizes a fifth of each retry delay', async () => {
  await revalidations.close()
  revalidations = createRevalidations({ clock: () => now, random: () => 0.5 })
  const failure = await failOnce()
  expect(failure.retryAt - failure.failedAt).toBe(66_000)
})

it('limits how many run and how many are queued, and ignores the rest', async () => {
  await revalidations.close()
  revalidations = createRevalidations({ concurrency: 2, queue: 3 })
  const started: string[] = []
  const finish: (() => void)[] = []
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
    revalidations.schedule(key, 'client', () => {
      started.push(key)
      return new Promise((resolve) => finish.push(resolve))
    })
  }
  await nextTurn()
  expect(started).toEqual(['a', 'b'])
  for (let done = 0; done < 5; done++) {
    finish[done]!()
    await nextTurn()
  }
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e'])
})

it('aborts a revalidation at its timeout, which counts as a failure', async () => {
  await revalidations.close()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  revalidations = createRevalidations({ clock: () => now, timeoutMs: 5_000 })
  revalidations.schedule('page', 'client', untilAborted)
  await vi.advanceTimersByTimeAsync(4_999)
  expect(revalidations.lastFailure('page')).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(revalidations.lastFailure('page')).toMatchObject({ error: { code: 'ETIMEOUT' } })
})

it('aborts what runs, drops what is queued and starts nothing more once it is closed', async () => {
  await revalidations.close()
  revalidations = createRevalidations({ concurrency: 1 })
  const queued = vi.fn(async () => undefined)
  let hasEnded = false
  revalidations.schedule('running', 'client', async (signal) => {
    await untilAborted(signal).catch(nextTurn)
    hasEnded = true
    throw signal.reason
  })
  revalidations.schedule('queued', 'client', queued)
  await nextTurn()
  await revalidations.close()
  expect(hasEnded).toBe(true)
  revalidations.schedule('late', 'client', queued)
  await nextTurn()
  expect(queued).not.toHaveBeenCalled()
  expect(revalidations.lastFailure('running')).toBeUndefined()
})

it('starts only what it has claimed, and gives a claim back that a client had no quota for', async () => {
  const claimed = new Set<string>()
  const claims = {
    claim: async (key: string) => !claimed.has(key) && Boolean(claimed.add(key)),
    unclaim: async (key: string) => void claimed.delete(key),
  }
  const other = createRevalidations({ clock: () => now, claims })
  revalidations = createRevalidations({ clock: () => now, claims })
  const refuse = vi.fn(async () => {
    throw new PageError('ERATE', 'The daily limit is reached.')
  })
  const revalidate = vi.fn(async () => undefined)
  other.schedule('page', 'client', refuse)
  await nextTurn()
  revalidations.schedule('page', 'client', revalidate)
  await nextTurn()
  other.schedule('page', 'client', refuse)
  await nextTurn()
  expect([refuse.mock.calls.length, revalidate.mock.calls.length]).toEqual([1, 1])
  expect([other.counts().started, revalidations.counts().started]).toEqual([1, 1])
  await other.close()
})

it('starts nothing when it is closed while a claim is awaited', async () => {
  let claimed: (isOwn: boolean) => void
  const claim = () => new Promise<boolean>((resolve) => (claimed = resolve))
  revalidations = createRevalidations({ claims: { claim, unclaim: async () => undefined } })
  const revalidate = vi.fn(async () => undefined)
  revalidations.schedule('page', 'client', revalidate)
  await nextTurn()
  const closed = revalidations.close()
  claimed!(true)
  await closed
  expect(revalidate).not.toHaveBeenCalled()
})

it('does not make Node warn of a memory leak while many revalidations are queued', async () => {
  const warn = vi.fn()
  process.on('warning', warn)
  onTestFinished(() => void process.off('warning', warn))
  for (let page = 0; page < 20; page++) revalidations.schedule(`page ${page}`, 'client', untilAborted)
  await nextTurn()
  expect(warn).not.toHaveBeenCalled()
})

it('starts what is queued in turn by client, and queues at most 20 of one client', async () => {
  await revalidations.close()
  revalidations = createRevalidations({ concurrency: 1 })
  const started: string[] = []
  const finish: (() => void)[] = []
  const schedule = (key: string, client: string) =>
    revalidations.schedule(key, client, () => {
      started.push(key)
      return new Promise((resolve) => finish.push(resolve))
    })
  const finishAll = async () => {
    for (let done = 0; done < finish.length; done++) {
      finish[done]!()
      await nextTurn()
    }
  }
  for (let page = 0; page < 30; page++) schedule(`busy ${page}`, 'busy')
  schedule('other', 'other')
  await nextTurn()
  await finishAll()
  expect(started.slice(0, 4)).toEqual(['busy 0', 'busy 1', 'other', 'busy 2'])
  expect(started).toHaveLength(1 + 20 + 1)
  schedule('busy 29', 'busy')
  await nextTurn()
  expect(started.at(-1)).toBe('busy 29')
  finish.at(-1)!()
})
