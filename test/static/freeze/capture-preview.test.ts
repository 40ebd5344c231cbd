import { expect, it } from 'vitest'
import { PageError } from '../../../src/query/index.js'
import { freeze } from '../../../src/static/freeze/index.js'
import type { PreviewSource } from '../../../src/static/preview-source.js'
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

type Query = Parameters<PreviewSource['page']>[0]

/** Freezes a page in both colour schemes, whose dark one is captured as `captureDark` says. */
async function frozenInBothSchemes(captureDark: (query: Query, attempt: number) => Query) {
  const { paths, read } = await temporarySite({
    'index.html': `<page-preview url="${URL}" screenshot color-schemes="light dark"></page-preview>`,
  })
  const { source } = fakeSource({ 'https://blocked.test/': { data: { title: 'Just a moment', state: 'bot-check' } } })
  let attempts = 0
  const page: typeof source.page = async (query, signal) =>
    source.page(query.colorScheme === 'dark' ? captureDark(query, ++attempts) : query, signal)
  const result = await freeze({ ...paths, source: { ...source, page } })
  return { ...result, html: await read('index.html'), attempts: () => attempts }
}

const timesOut = (): never => {
  throw new PageError('ETIMEOUT', 'It takes longer than 3 s.')
}

it.each([
  ['times out', timesOut, 'It takes longer than 3 s.'],
  [
    'shows a bot check',
    (query: Query) => ({ ...query, url: 'https://blocked.test/' }),
    'It asks whether its visitor is human.',
  ],
])('has a card without the dark screenshot when only the dark page %s', async (_, captureDark, message) => {
  const { previews, omittedImages, failures, html } = await frozenInBothSchemes(captureDark)
  expect({ previews, omittedImages, failures }).toMatchObject({
    previews: { new: 1, failed: 0 },
    omittedImages: [{ url: URL, field: 'screenshot', message }],
    failures: [],
  })
  expect(html).toContain('<img')
  expect(html).not.toContain('prefers-color-scheme')
})

it('captures the dark page again after a timeout', async () => {
  const { html, attempts, omittedImages } = await frozenInBothSchemes((query, attempt) =>
    attempt < 3 ? timesOut() : query,
  )
  expect(attempts()).toBe(3)
  expect(omittedImages).toEqual([])
  expect(html).toContain('prefers-color-scheme')
})

it('lists an image as omitted only if the last attempt omitted it', async () => {
  const { paths } = await temporarySite({ 'index.html': pageWith(URL) })
  const { source } = fakeSource()
  let attempts = 0
  const page: typeof source.page = async (query, signal) => {
    attempts++
    const page = await source.page(query, signal)
    return { ...page, data: { ...page.data, logo: { url: `${URL}icon.png`, type: 'png' } } }
  }
  const image: typeof source.image = async (...options) => (attempts === 1 ? timesOut() : source.image(...options))
  const variants: typeof source.variants = async (...options) => {
    if (attempts > 1) return source.variants(...options)
    await new Promise((resolve) => setImmediate(resolve))
    throw new PageError('EBRWSRTIMEOUT', 'No browser was free.')
  }
  const { previews, omittedImages } = await freeze({ ...paths, source: { ...source, page, image, variants } })
  expect({ previews, omittedImages, attempts }).toMatchObject({ previews: { new: 1 }, omittedImages: [], attempts: 2 })
})
