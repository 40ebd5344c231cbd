import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { createByteBudget, UNRESERVED_BYTES, type ByteBudget } from '../../../src/server/budget/index.js'
import type { ReservedMemory, Reservation } from '../../../src/server/budget/byte-budget.js'

const MB = 1_000_000
const { signal } = new AbortController()

/** Work that has reserved memory until `end` is called. */
function hold(budget: ByteBudget, client: string, bytes: number, abort = signal) {
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  const state = { isReserved: false, hasWaited: false }
  const done = budget.run(client, async (memory) => {
    await memory.reserve(bytes, abort)
    Object.assign(state, { isReserved: true, hasWaited: memory.hasWaited() })
    await ended
  })
  return { state, done, end: () => (end(), done) }
}

it('lets reservations wait until the memory is free, and tells that they have waited', async () => {
  const budget = createByteBudget({ maxBytes: 40 * MB })
  const first = hold(budget, 'a', 20 * MB)
  const second = hold(budget, 'b', 15 * MB)
  const third = hold(budget, 'c', 10 * MB)
  await nextTurn()
  expect([first, second, third].map(({ state }) => state.isReserved)).toEqual([true, true, false])
  expect(budget.reservedBytes()).toBe(35 * MB)
  await first.end()
  await nextTurn()
  expect(third.state).toEqual({ isReserved: true, hasWaited: true })
  expect(second.state.hasWaited).toBe(false)
  await Promise.all([second.end(), third.end()])
  expect(budget.reservedBytes()).toBe(0)
})

it('leaves half to others, and grants first to the client that has reserved the least', async () => {
  const budget = createByteBudget({ maxBytes: 40 * MB })
  const greedy = Array.from({ length: 4 }, () => hold(budget, 'greedy', 10 * MB))
  const other = hold(budget, 'other', 18 * MB)
  await nextTurn()
  expect(greedy.map(({ state }) => state.isReserved)).toEqual([true, true, false, false])
  expect(other.state).toEqual({ isReserved: true, hasWaited: false })
  const late = hold(budget, 'late', 10 * MB)
  await greedy[0]!.end()
  await nextTurn()
  expect([late.state.isReserved, greedy[2]!.state.isReserved]).toEqual([true, false])
  await Promise.all([...greedy, other, late].map(({ end }) => end()))
})

it('does not let small reservations overtake a large one for ever', async () => {
  const budget = createByteBudget({ maxBytes: 40 * MB })
  const [first, second] = [hold(budget, 'a', 20 * MB), hold(budget, 'b', 15 * MB)]
  const large = hold(budget, 'c', 20 * MB)
  const small = hold(budget, 'd', 5 * MB)
  await nextTurn()
  expect([large.state.isReserved, small.state.isReserved]).toEqual([false, false])
  await first.end()
  await nextTurn()
  expect([large.state.isReserved, small.state.isReserved]).toEqual([true, true])
  await Promise.all([second, large, small].map(({ end }) => end()))
})

it('never lets small work wait, once for each piece of work', async () => {
  const budget = createByteBudget({ maxBytes: 2 * MB, reserveBytes: 0, maxWaitMs: 1 })
  const [first, second] = [hold(budget, 'a', 1 * MB), hold(budget, 'b', 1 * MB)]
  const small = hold(budget, 'c', UNRESERVED_BYTES)
  await nextTurn()
  expect(small.state).toEqual({ isReserved: true, hasWaited: false })
  const twice = budget.run('d', async (memory) => {
    await memory.reserve(UNRESERVED_BYTES, signal)
    await memory.reserve(1, signal)
  })
  await expect(twice).rejects.toMatchObject({ code: 'EBUSY', retryAfterMs: 2_000 })
  await Promise.all([first, second, small].map(({ end }) => end()))
  expect(budget.reservedBytes()).toBe(0)
})

it('fails with EBUSY what waits too long, and with the reason of its signal what is aborted', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const budget = createByteBudget({ maxBytes: 40 * MB, reserveBytes: 0 })
  const holders = ['a', 'b'].map((client) => hold(budget, client, 20 * MB))
  const abort = new AbortController()
  const aborted = expect(hold(budget, 'c', MB, abort.signal).done).rejects.toThrow('left')
  const late = expect(hold(budget, 'd', MB).done).rejects.toMatchObject({ code: 'EBUSY' })
  await nextTurn()
  abort.abort(new Error('left'))
  await aborted
  await vi.advanceTimersByTimeAsync(4_000)
  await late
  vi.useRealTimers()
  await Promise.all(holders.map(({ end }) => end()))
  expect(budget.reservedBytes()).toBe(0)
})

it('reserves the share of a client at most, and takes back what was not needed', async () => {
  const budget = createByteBudget({ maxBytes: 40 * MB })
  await budget.run('a', async (memory) => {
    const reservation = await memory.reserve(100 * MB, signal)
    expect(budget.reservedBytes()).toBe(20 * MB)
    reservation.shrinkTo(3 * MB)
    expect(budget.reservedBytes()).toBe(3 * MB)
    await memory.reserve(2 * MB, signal)
    expect(budget.reservedBytes()).toBe(5 * MB)
  })
  expect(budget.reservedBytes()).toBe(0)
})

it('lets a page of a client that has nothing pass while others hold the rest, and no second one', async () => {
  const budget = createByteBudget()
  const media = ['a', 'b', 'c', 'd'].map((client) => hold(budget, client, 25 * MB))
  await nextTurn()
  expect(media.filter(({ state }) => state.isReserved)).not.toHaveLength(4)
  const pages = ['e', 'f', 'g', 'h'].map((client) => hold(budget, client, 4 * MB))
  const second = hold(budget, 'e', 4 * MB)
  await nextTurn()
  expect(pages.map(({ state }) => state)).toEqual(pages.map(() => ({ isReserved: true, hasWaited: false })))
  expect(second.state.isReserved).toBe(false)
  expect(budget.reservedBytes()).toBeLessThanOrEqual(80 * MB)
  const late = hold(budget, 'i', 4 * MB)
  const media2 = hold(budget, 'j', 25 * MB)
  await nextTurn()
  expect([late.state.isReserved, media2.state.isReserved]).toEqual([false, false])
  await pages[0]!.end()
  await nextTurn()
  expect([late.state.isReserved || second.state.isReserved, media2.state.isReserved]).toEqual([true, false])
  await Promise.all([...media, ...pages, second, late, media2].map(({ end }) => end()))
  expect(budget.reservedBytes()).toBe(0)
})

describe('work that ends while it reserves memory', () => {
  const failing = (budget: ByteBudget, bytes: number) => {
    let waiting!: Promise<unknown>
    const done = budget.run('a', async (memory) => {
      await memory.reserve(MB, signal)
      waiting = memory.reserve(bytes, signal).catch((error: unknown) => error)
      throw new Error('another part failed')
    })
    return { done, waiting: () => waiting }
  }

  it.each([2 * MB, 15 * MB, 100 * MB])('gets none of it: %i bytes', async (bytes) => {
    const budget = createByteBudget({ maxBytes: 40 * MB, reserveBytes: 0 })
    const holders = ['b', 'c'].map((client) => hold(budget, client, 19 * MB))
    const { done, waiting } = failing(budget, bytes)
    await expect(done).rejects.toThrow('another part failed')
    expect(budget.reservedBytes()).toBe(38 * MB)
    await Promise.all(holders.map(({ end }) => end()))
    expect(await waiting()).toBeInstanceOf(Error)
    expect(budget.reservedBytes()).toBe(0)
    // All of it is free again.
    const next = [hold(budget, 'a', 20 * MB), hold(budget, 'd', 20 * MB)]
    await nextTurn()
    expect(next.map(({ state }) => state.isReserved)).toEqual([true, true])
    await Promise.all(next.map(({ end }) => end()))
  })

  it('gets none of what never waits', async () => {
    const budget = createByteBudget({ maxBytes: 40 * MB })
    let later!: ReservedMemory
    await budget.run('a', async (memory) => void (later = memory))
    await expect(later.reserve(1_000, signal)).rejects.toThrow('ended')
    expect(budget.reservedBytes()).toBe(0)
  })

  it('gives nothing back a second time', async () => {
    const budget = createByteBudget({ maxBytes: 40 * MB })
    const other = hold(budget, 'a', 5 * MB)
    let reservation!: Reservation
    await budget.run('a', async (memory) => void (reservation = await memory.reserve(10 * MB, signal)))
    reservation.shrinkTo(MB)
    expect(budget.reservedBytes()).toBe(5 * MB)
    await other.end()
    expect(budget.reservedBytes()).toBe(0)
  })
})
