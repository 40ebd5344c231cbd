import { expect, it } from 'vitest'
import { startRounds } from '../../../src/static/check/rounds.js'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** The starts of rounds that take as long as given, on a clock that only moves while they wait and work. */
async function startsOf(intervalMs: number, durations: number[], sleepMs = 0) {
  let now = 0
  const delays: number[] = []
  const stop = new AbortController()
  const wait = async (delayMs: number) => {
    delays.push(delayMs)
    now += Math.max(delayMs, sleepMs)
  }
  const starts: number[] = []
  for await (const startedAt of startRounds({ intervalMs, signal: stop.signal, clock: () => now, wait })) {
    starts.push(startedAt)
    const durationMs = durations.shift()
    if (durationMs === undefined) stop.abort()
    else now += durationMs
  }
  return { starts, delays }
}

it('starts a round at each interval, however long the last one took', async () => {
  const { starts } = await startsOf(60 * MINUTE_MS, [MINUTE_MS, 30 * MINUTE_MS, 0])
  expect(starts).toEqual([0, 60, 120, 180].map((minutes) => minutes * MINUTE_MS))
})

it('starts the next round after one that took longer than the interval', async () => {
  const { starts } = await startsOf(MINUTE_MS, [5 * MINUTE_MS, 0])
  expect(starts).toEqual([0, 5, 6].map((minutes) => minutes * MINUTE_MS))
})

it('waits for weeks without a timer that is too long, and starts at once after a machine slept', async () => {
  const month = await startsOf(31 * DAY_MS, [0])
  expect(month.starts).toEqual([0, 31 * DAY_MS])
  expect(Math.max(...month.delays)).toBeLessThan(2 ** 31)
  const slept = await startsOf(DAY_MS, [0], 3 * DAY_MS)
  expect(slept.starts).toEqual([0, 3 * DAY_MS])
  expect(slept.delays).toHaveLength(1)
})

it('ends at once when it is stopped while it waits', async () => {
  const stop = new AbortController()
  const rounds = startRounds({ intervalMs: DAY_MS, signal: stop.signal })
  expect(await rounds.next()).toMatchObject({ done: false })
  const next = rounds.next()
  stop.abort()
  expect(await next).toEqual({ done: true, value: undefined })
})

it('starts none when it was stopped before', async () => {
  const rounds = startRounds({ intervalMs: DAY_MS, signal: AbortSignal.abort() })
  expect(await rounds.next()).toEqual({ done: true, value: undefined })
})
