import { expect, it } from 'vitest'
import { errorCodes, PageError, type ErrorCode } from '../../src/query/index.js'
import { canRetry } from '../../src/query/help/index.js'

const RETRYABLE = new Set<ErrorCode>([
  'EFATAL',
  'EUNREACHABLE',
  'EBUSY',
  'ETIMEOUT',
  'EBRWSRTIMEOUT',
  'EFATALCLIENT',
  'EABORTED',
  'ETIMEOUTCLIENT',
])

it.each((Object.keys(errorCodes) as ErrorCode[]).filter((code) => code !== 'ERATE'))(
  'says whether a retry after %s can help',
  (code) => {
    expect(canRetry(new PageError(code, 'It failed.'))).toBe(RETRYABLE.has(code))
  },
)

it.each([
  ['no preview service', 404, false],
  ['another page', 200, false],
  ['a timeout of a reverse proxy', 408, true],
  ['a broken reverse proxy', 502, true],
])('judges a response that is from %s by its status', (_, status, expected) => {
  expect(canRetry(new PageError('EFATALCLIENT', 'It failed.', { status }))).toBe(expected)
})

it('can help after a rate limit once that has been reset', () => {
  const error = new PageError('ERATE', 'It failed.', { retryAfterMs: 60_000 })
  expect([0, 59_999, 60_000].map((ageMs) => canRetry(error, ageMs))).toEqual([false, false, true])
})
