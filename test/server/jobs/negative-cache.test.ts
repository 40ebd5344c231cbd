import { expect, it } from 'vitest'
import { errorCodes, PageError, type ErrorCode } from '../../../src/query/index.js'
import { createNegativeCache } from '../../../src/server/jobs/index.js'

const MINUTE = 60_000
const expectedTtlMs: Partial<Record<ErrorCode, number>> = {
  EINVALURL: MINUTE,
  EFORBIDDENURL: MINUTE,
  EINVALOVERLAYBG: MINUTE,
  ENOEMBED: MINUTE,
  EELEMENT: MINUTE,
  ETOOLARGE: MINUTE,
  EUNREACHABLE: MINUTE,
  EMAXREDIRECTS: MINUTE,
  ETIMEOUT: 10 * MINUTE,
}
const codes = Object.keys(errorCodes) as ErrorCode[]

it.each(codes)('caches %s for its specified time, or not at all', (code) => {
  let now = 5
  const failures = createNegativeCache({ clock: () => now })
  const error = new PageError(code, 'It failed.')
  failures.set('page', error)
  const ttlMs = expectedTtlMs[code]
  if (ttlMs === undefined) return expect(failures.get('page')).toBeUndefined()
  now += ttlMs - 1
  expect(failures.get('page')).toBe(error)
  expect(failures.get('other')).toBeUndefined()
  now += 1
  expect(failures.get('page')).toBeUndefined()
})

it('replaces the failure and its expiry with each new failure', () => {
  let now = 0
  const failures = createNegativeCache({ clock: () => now })
  failures.set('page', new PageError('ETIMEOUT', 'Slow.'))
  now = MINUTE
  failures.set('page', new PageError('EUNREACHABLE', 'Gone.'))
  expect(failures.get('page')).toMatchObject({ code: 'EUNREACHABLE' })
  now = 2 * MINUTE
  expect(failures.get('page')).toBeUndefined()
})

it('evicts the least recently used failure when it is full', () => {
  const failures = createNegativeCache({ clock: () => 0 })
  for (let page = 0; page < 10_000; page++) failures.set(`${page}`, new PageError('EUNREACHABLE', 'Gone.'))
  failures.get('0')
  failures.set('one more', new PageError('EUNREACHABLE', 'Gone.'))
  expect(failures.get('0')).toBeDefined()
  expect(failures.get('1')).toBeUndefined()
})
