import { expect, it } from 'vitest'
import { PageError } from '../../../src/query/index.js'
import { freeze } from '../../../src/static/freeze/index.js'
import { fakeSource } from './fake-source.js'
import { pageWith, temporarySite } from './temporary-site.js'

const URL = 'https://example.com/'

/** Freezes a page whose captures fail with the error, all but the last of so many. */
async function frozen(error: PageError, captures: number) {
  const { paths } = await temporarySite({ 'index.html': pageWith(URL) })
  const { source, captured, pages } = fakeSource({ [URL]: { error } })
  const isForced: unknown[] = []
  const page: typeof source.page = async (query, signal) => {
    isForced.push(query.force ?? false)
    if (isForced.length === captures) delete pages[URL]
    return source.page(query, signal)
  }
  const { previews } = await freeze({ ...paths, source: { ...source, page } })
  return { previews, captured, isForced }
}

it('captures a page again after a timeout, past the failure that the service has cached', async () => {
  const { previews, isForced } = await frozen(new PageError('ETIMEOUT', 'It takes longer than 3 s.'), 2)
  expect(previews).toMatchObject({ new: 1, failed: 0 })
  expect(isForced).toEqual([false, true])
})

it.each([
  ['ETIMEOUT', 3],
  ['EBRWSRTIMEOUT', 3],
  ['EUNREACHABLE', 1],
] as const)('gives up after %s, captured %i times', async (code, times) => {
  const { previews, captured } = await frozen(new PageError(code, 'No.'), Infinity)
  expect(previews).toMatchObject({ new: 0, failed: 1 })
  expect(captured).toHaveLength(times)
})
