import { expect, it } from 'vitest'
import { isGone, nextRecord } from '../../../src/static/check/link-history.js'

const HOUR_MS = 3_600_000
const START = Date.parse('2026-01-01T00:00:00.000Z')
const absent = { outcome: 'absent', reason: 'HTTP 404.' } as const
const unreachable = { outcome: 'unreachable', reason: 'HTTP 500.' } as const

/** The records after checks at hours since the start. */
function checksAt(result: typeof absent | typeof unreachable, ...hours: number[]) {
  let record: ReturnType<typeof nextRecord>
  return hours.map((hour) => {
    const now = START + hour * HOUR_MS
    record = nextRecord(record, { result, now })
    return isGone(record!, { result, now, goneAfter: 2 })
  })
}

it('never counts a link as gone after one check', () => {
  expect(checksAt(absent, 0)).toEqual([false])
  expect(checksAt(unreachable, 0)).toEqual([false])
})

it('counts an absent page as gone after two checks, and one that does not respond after a day', () => {
  expect(checksAt(absent, 0, 1)).toEqual([false, true])
  expect(checksAt(unreachable, 0, 1, 2, 23, 24)).toEqual([false, false, false, false, true])
  expect(checksAt(unreachable, 0, 48)).toEqual([false, true])
})

it('counts in a row, from the first failure, and neither on nor back where nothing is known', () => {
  const first = nextRecord(undefined, { result: absent, now: START })
  const unclear = nextRecord(first, { result: { outcome: 'unclear' }, now: START + 1 })
  expect(unclear).toEqual({
    since: '2026-01-01T00:00:00.000Z',
    checks: 1,
    latest: '2026-01-01T00:00:00.000Z',
    reason: 'HTTP 404.',
  })
  expect(nextRecord(unclear, { result: absent, now: START + HOUR_MS })).toMatchObject({
    since: first!.since,
    checks: 2,
  })
  expect(nextRecord(first, { result: { outcome: 'works' }, now: START })).toBeUndefined()
})
