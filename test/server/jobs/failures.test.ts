import { expect, it } from 'vitest'
import { errorCodes, PageError, type ErrorCode } from '../../../src/query/index.js'
import { readFailure } from '../../../src/server/jobs/index.js'
import { subjectOfUrl } from '../../../src/server/store/index.js'
import { rememberFailure, startEntries } from './start-entries.js'

const MINUTE = 60_000
const expectedTtlMs: Partial<Record<ErrorCode, number>> = {
  EINVALURL: MINUTE,
  EINVALOVERLAYBG: MINUTE,
  ENOEMBED: MINUTE,
  EELEMENT: MINUTE,
  ETOOLARGE: MINUTE,
  EUNREACHABLE: MINUTE,
  EMAXREDIRECTS: MINUTE,
  ETIMEOUT: 10 * MINUTE,
}
const codes = Object.keys(errorCodes) as ErrorCode[]

it.each(codes)('caches %s for its specified time, or not at all', async (code) => {
  const { entries, wait } = startEntries()
  await rememberFailure(entries, new PageError(code, 'It failed.'))
  const ttlMs = expectedTtlMs[code]
  if (ttlMs === undefined) return expect(await readFailure('page', entries)).toBeUndefined()
  wait(ttlMs - 1)
  expect(await readFailure('page', entries)).toMatchObject({ name: 'PageError', code, message: 'It failed.' })
  expect(await readFailure('other', entries)).toBeUndefined()
  wait(1)
  expect(await readFailure('page', entries)).toBeUndefined()
})

it('replaces the failure and its expiry with each new failure', async () => {
  const { entries, wait } = startEntries()
  await rememberFailure(entries, new PageError('ETIMEOUT', 'Slow.'))
  wait(MINUTE)
  await rememberFailure(entries, new PageError('EUNREACHABLE', 'Gone.'))
  expect(await readFailure('page', entries)).toMatchObject({ code: 'EUNREACHABLE' })
  wait(MINUTE)
  expect(await readFailure('page', entries)).toBeUndefined()
})

it('is not believed if it seems to come from the future, because a clock was ahead', async () => {
  const { entries } = startEntries()
  const now = entries.clock()
  await rememberFailure(entries, new PageError('EUNREACHABLE', 'Gone.'))
  expect(await readFailure('page', entries, now)).toBeDefined()
  expect(await readFailure('page', entries, now - 60 * MINUTE)).toBeDefined()
  expect(await readFailure('page', entries, now - 60 * MINUTE - 1)).toBeUndefined()
})

it('keeps what a caller is told, and what a purge has to find', async () => {
  const { entries } = startEntries()
  const options = { data: { element: 'missing' }, status: 422, retryAfterMs: 5_000 }
  const marks = { subjects: [subjectOfUrl('https://example.com/')], owner: 'owner', lastPurge: 3 }
  await rememberFailure(entries, new PageError('EELEMENT', 'There is no such element.', options), marks)
  expect(await readFailure('page', entries)).toMatchObject({ code: 'EELEMENT', ...options })
  expect(await entries.readEntry('failure page')).toMatchObject({ ...marks, images: [] })
})
