import { getEventListeners, once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { PageError } from '../../../src/query/index.js'
import { createFairQueue, type Waiter, type Waiters } from '../../../src/server/budget/index.js'
import { createSingleFlight, loadOnce, runOrTakeOver } from '../../../src/server/jobs/index.js'
import { recordListenerWarnings } from '../../shared/record-listener-warnings.js'

/** Work that a test settles by hand, and a record of its calls. */
function createManualWork() {
  const calls: { signal: AbortSignal; resolve: (value: string) => void; reject: (error: Error) => void }[] = []
  const work = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      calls.push({ signal, resolve, reject })
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  return { calls, work }
}

function newCaller() {
  const controller = new AbortController()
  return { signal: controller.signal, leave: () => controller.abort(new Error('left')) }
}

const throwAtOnce = () => {
  throw new Error('broken')
}

describe('single flight', () => {
  it('runs once for all concurrent callers', async () => {
    const flights = createSingleFlight<string>()
    const { calls, work } = createManualWork()
    const results = Array.from({ length: 50 }, () => flights.run('page', work))
    expect(calls).toHaveLength(1)
    expect(flights.size).toBe(1)
    calls[0]!.resolve('result')
    expect(new Set(await Promise.all(results))).toEqual(new Set(['result']))
    expect(flights.size).toBe(0)
  })

  it('lets many callers that share a signal wait without a warning of Node, and leave together', async () => {
    const warnings = recordListenerWarnings()
    const flights = createSingleFlight<string>()
    const { calls, work } = createManualWork()
    const { signal, ...caller } = newCaller()
    const results = Array.from({ length: 50 }, () =>
      runOrTakeOver(flights, 'page', work, { signal, waiter: { client: 'client' } }),
    )
    await new Promise((resolve) => setImmediate(resolve))
    expect(warnings).toEqual([])
    caller.leave()
    const reasons = (await Promise.allSettled(results)).map(({ status }) => status)
    expect(new Set(reasons)).toEqual(new Set(['rejected']))
    expect(calls.map((call) => call.signal.aborted)).toEqual([true])
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('runs again for a later caller, and separately for another key', async () => {
    const flights = createSingleFlight<string>()
    let count = 0
    const work = async () => `${++count}`
    expect(await flights.run('page', work)).toBe('1')
    expect(await flights.run('page', work)).toBe('2')
    expect(await Promise.all([flights.run('page', work), flights.run('other', work)])).toEqual(['3', '4'])
  })

  it('rejects for all callers, also when the work throws synchronously, and then starts afresh', async () => {
    const flights = createSingleFlight<string>()
    const results = [flights.run('page', throwAtOnce), flights.run('page', async () => 'not called')]
    for (const result of results) await expect(result).rejects.toThrow('broken')
    expect(await flights.run('page', async () => 'result')).toBe('result')
  })

  it('lets one caller leave with its own reason while the others get the result', async () => {
    const flights = createSingleFlight<string>()
    const { calls, work } = createManualWork()
    const leaving = new AbortController()
    const gone = flights.run('page', work, { signal: leaving.signal })
    const staying = flights.run('page', work, { signal: new AbortController().signal })
    const background = flights.run('page', work)
    leaving.abort(new Error('closed the tab'))
    await expect(gone).rejects.toThrow('closed the tab')
    expect(calls[0]!.signal.aborted).toBe(false)
    calls[0]!.resolve('result')
    expect(await Promise.all([staying, background])).toEqual(['result', 'result'])
  })

  it('aborts when every caller has left, and starts afresh for the next caller at once', async () => {
    const flights = createSingleFlight<string>()
    const { calls, work } = createManualWork()
    const callers = [new AbortController(), new AbortController()]
    const results = callers.map(({ signal }) => flights.run('page', work, { signal }))
    callers[0]!.abort()
    expect(calls[0]!.signal.aborted).toBe(false)
    callers[1]!.abort()
    expect(calls[0]!.signal.reason).toMatchObject({ name: 'PageError', code: 'EABORTED' })
    expect(flights.size).toBe(0)
    const next = flights.run('page', work)
    expect(calls).toHaveLength(2)
    for (const result of results) await expect(result).rejects.toMatchObject({ name: 'AbortError' })
    expect(flights.size).toBe(1)
    calls[1]!.resolve('result')
    expect(await next).toBe('result')
  })

  it('goes on while a caller without a signal is waiting', async () => {
    const flights = createSingleFlight<string>()
    const { calls, work } = createManualWork()
    const background = flights.run('page', work)
    const leaving = new AbortController()
    const gone = flights.run('page', work, { signal: leaving.signal })
    leaving.abort()
    await expect(gone).rejects.toMatchObject({ name: 'AbortError' })
    expect(calls[0]!.signal.aborted).toBe(false)
    calls[0]!.resolve('result')
    expect(await background).toBe('result')
  })

  it('does not start for a caller whose signal has already aborted', async () => {
    const flights = createSingleFlight<string>()
    const { calls, work } = createManualWork()
    await expect(flights.run('page', work, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
    expect([calls.length, flights.size]).toEqual([0, 0])
  })

  it('ignores a caller that aborts after the result has arrived', async () => {
    const flights = createSingleFlight<string>()
    const { calls, work } = createManualWork()
    const caller = new AbortController()
    const result = flights.run('page', work, { signal: caller.signal })
    calls[0]!.resolve('result')
    expect(await result).toBe('result')
    caller.abort()
    expect(calls[0]!.signal.aborted).toBe(false)
  })
})

it('starts a task at the first turn of the callers that share it, at once for one with nothing running', async () => {
  const flights = createSingleFlight<string>()
  const queue = createFairQueue({
    concurrency: 1,
    reserve: 1,
    maxWaiting: 10,
    fullError: () => new Error('full'),
  })
  const end = new AbortController()
  const ended = once(end.signal, 'abort')
  const never = new AbortController().signal
  const slow = [1, 2, 3].map(() => queue.run({ client: 'greedy' }, () => ended, never))
  const request = (client: string) =>
    flights.run('popular', (signal, waiters) => queue.run({ client, waiters }, async () => 'result', signal), {
      signal: never,
      waiter: { client },
    })
  const first = request('greedy')
  expect(queue.waiting()).toBe(3)
  const innocent = request('innocent')
  expect(queue.waiting()).toBe(2)
  expect(await innocent).toBe('result')
  expect(await first).toBe('result')
  end.abort()
  await Promise.all(slow)
  expect([queue.running(), queue.waiting()]).toEqual([0, 0])
})

it('waits no longer in the turn of a caller that has left', async () => {
  const flights = createSingleFlight<string>()
  const queue = createFairQueue({ concurrency: 1, maxWaiting: 10, fullError: () => new Error('full') })
  const end = new AbortController()
  const never = new AbortController().signal
  const running = queue.run({ client: 'running' }, () => once(end.signal, 'abort'), never)
  const started: string[] = []
  const popular = (waiter: Waiter, signal: AbortSignal) => {
    const start = async () => {
      started.push('popular')
      return 'result'
    }
    return flights.run('popular', (flight, waiters) => queue.run({ ...waiter, waiters }, start, flight), {
      signal,
      waiter,
    })
  }
  const stays = popular({ client: 'stays' }, never)
  const { signal, leave } = newCaller()
  const leaves = popular({ client: 'leaves', hasPriority: true }, signal)
  const joinsTwice = newCaller()
  const twice = [joinsTwice.signal, never].map((each) => popular({ client: 'twice' }, each))
  expect(queue.waiting()).toBe(3)
  leave()
  joinsTwice.leave()
  await Promise.all([leaves, twice[0]].map((left) => expect(left).rejects.toThrow('left')))
  expect(queue.waiting()).toBe(2)
  const other = queue.run({ client: 'other', hasPriority: true }, async () => started.push('other'), never)
  end.abort()
  await Promise.all([running, stays, twice[1], other])
  expect(started).toEqual(['other', 'popular'])
})

it('goes on with the turns of other callers when the turn of the first would come too late', async () => {
  const flights = createSingleFlight<string>()
  const queue = createFairQueue({
    concurrency: 1,
    maxWaiting: 10,
    maxWaitingPerClient: 1,
    fullError: () => new Error('full'),
  })
  const end = new AbortController()
  const ended = once(end.signal, 'abort')
  const never = new AbortController().signal
  const slow = [1, 2].map(() => queue.run({ client: 'greedy' }, () => ended, never))
  let endMetadata = () => {}
  const metadata = new Promise<void>((resolve) => (endMetadata = resolve))
  const work = async (signal: AbortSignal, waiters: Waiters) => {
    await metadata
    return queue.run({ client: 'greedy', waiters }, async () => 'result', signal)
  }
  const callers = ['greedy', 'innocent'].map((client) =>
    flights.run('popular', work, { signal: never, waiter: { client } }),
  )
  endMetadata()
  await metadata
  end.abort()
  expect(await Promise.all(callers)).toEqual(['result', 'result'])
  await Promise.all(slow)
})

it('starts again for those who have joined work that its starter has no share left for', async () => {
  const flights = createSingleFlight<string>()
  const options = (client: string) => ({ signal: new AbortController().signal, waiter: { client } })
  let fail: (error: Error) => void = () => undefined
  const failing = () => new Promise<string>((_, reject) => (fail = reject))
  const first = runOrTakeOver(flights, 'page', failing, options('greedy'))
  const joined = runOrTakeOver(flights, 'page', async () => 'result', options('innocent'))
  fail(new PageError('EBUSY', 'full'))
  await expect(first).rejects.toMatchObject({ code: 'EBUSY' })
  expect(await joined).toBe('result')
})

it('loads a value once, also for callers at the same time', async () => {
  let count = 0
  const load = loadOnce(async () => ++count)
  expect(await Promise.all([load(), load()])).toEqual([1, 1])
  expect(await load()).toBe(1)
})

it('tries again after a failure, which only the callers of that time receive', async () => {
  const outcomes = [Promise.reject(new Error('unreadable')), Promise.resolve('value')]
  outcomes[0]!.catch(() => undefined)
  const load = loadOnce(() => outcomes.shift()!)
  const failed = await Promise.allSettled([load(), load()])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await load()).toBe('value')
  expect(await load()).toBe('value')
})
