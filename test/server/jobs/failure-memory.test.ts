import { expect, it } from 'vitest'
import { errorCodes, PageError, type ErrorCode } from '../../../src/query/index.js'
import { createFailureMemory, FAILURE_TTL_MS } from '../../../src/server/jobs/index.js'

const MINUTE = 60_000
const remembered: Partial<Record<ErrorCode, number>> = {
  EINVALURL: MINUTE,
  EFORBIDDENURL: MINUTE,
  EINVALOVERLAYBG: MINUTE,
  ENOEMBED: MINUTE,
  EELEMENT: MINUTE,
  ETOOLARGE: MINUTE,
  EUNREACHABLE: MINUTE,
  EMAXREDIRECTS: MINUTE,
  ETIMEOUT: 10 * MINUTE,
  EBRWSRTIMEOUT: 10 * MINUTE,
}
const codes = Object.keys(errorCodes) as ErrorCode[]

it.each(codes)('remembers %s as long as the contract says', (code) => {
  let now = 5
  const failures = createFailureMemory({ clock: () => now })
  const error = new PageError(code, 'It failed.')
  failures.remember('page', error)
  const ttl = remembered[code]
  if (ttl === undefined) return expect(failures.recall('page')).toBeUndefined()
  now += ttl - 1
  expect(failures.recall('page')).toBe(error)
  expect(failures.recall('other')).toBeUndefined()
  now += 1
  expect(failures.recall('page')).toBeUndefined()
})

it('starts anew with each failure', () => {
  let now = 0
  const failures = createFailureMemory({ clock: () => now })
  failures.remember('page', new PageError('ETIMEOUT', 'Slow.'))
  now = MINUTE
  failures.remember('page', new PageError('EUNREACHABLE', 'Gone.'))
  expect(failures.recall('page')).toMatchObject({ code: 'EUNREACHABLE' })
  now = 2 * MINUTE
  expect(failures.recall('page')).toBeUndefined()
})

it('keeps the failures used last when there are very many', () => {
  const failures = createFailureMemory({ clock: () => 0 })
  for (let page = 0; page < 10_000; page++) failures.remember(`${page}`, new PageError('EUNREACHABLE', 'Gone.'))
  failures.recall('0')
  failures.remember('one more', new PageError('EUNREACHABLE', 'Gone.'))
  expect(failures.recall('0')).toBeDefined()
  expect(failures.recall('1')).toBeUndefined()
})

it('says how long a page that answers 404 is kept', () => {
  expect(FAILURE_TTL_MS.missingPage).toBe(10 * MINUTE)
})
