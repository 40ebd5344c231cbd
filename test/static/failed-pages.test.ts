// Covers what capture, freeze, check and the card of the service make of pages that cannot be previewed.
import rehypeStringify from 'rehype-stringify'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PageData } from '../../src/query/index.js'
import { htmlCard } from '../../src/server/html-card.js'
import { captureUrls, type CaptureRecord } from '../../src/static/capture-urls.js'
import { classifyError, classifyPage } from '../../src/static/check/inspect-link.js'
import { freeze, freezeHtml, type FreezeOptions } from '../../src/static/freeze/index.js'
import rehypePagePreview from '../../src/static/plugins/rehype.js'
import { withPagePreview } from '../../src/static/plugins/vitepress.js'
import { FAILED_PAGES, type FailedPage } from '../shared/failed-pages.js'
import { fakeSource } from './freeze/fake-source.js'
import { temporarySite } from './freeze/temporary-site.js'

const URL = 'https://shoreline.example/essay'
const LINK = `<a class="mine" href="${URL}">The <b>essay</b></a>`
const MARKED = LINK.replace('<a ', '<a data-page-preview data-screenshot ')
const IN_ELEMENT = `<page-preview screenshot>${LINK}</page-preview>`

const dataOf = ({ state }: FailedPage): PageData => ({
  title: 'Oops: not here',
  description: 'Something went wrong.',
  image: null,
  logo: null,
  screenshot: null,
  ...(state && { state }),
})

/** A source for which the page fails, until it works. */
function failingSource(failed: FailedPage) {
  const { error, statusCode = 200 } = failed
  const { source, pages } = fakeSource()
  pages[URL] = error ? { error } : { data: dataOf(failed), statusCode }
  return { source, pages }
}

describe.each(FAILED_PAGES)('a page that $name', (failed) => {
  const { state, statusCode, error } = failed
  const code = state ?? error!.code

  it.each(['screenshot', undefined] as const)('is a failed capture of its %s', async (field) => {
    const { dir } = await temporarySite({})
    const records: CaptureRecord[] = []
    const summary = await captureUrls([URL], {
      source: failingSource(failed).source,
      request: { parameters: { screenshot: true }, field, variant: {} },
      outDir: dir,
      concurrency: 1,
      isForced: false,
      onResult: (record) => void records.push(record),
      signal: new AbortController().signal,
    })
    const expected = { url: URL, code: error?.code ?? 'ENOEMBED', state, statusCode }
    expect(summary).toMatchObject({ captured: 0, failed: 1 })
    expect(summary.failures[0]).toEqual({ message: expect.any(String), ...defined(expected) })
    expect(records).toEqual([expect.objectContaining({ status: 'failed', ...defined(expected) })])
    const line = JSON.parse(await readFile(join(dir, 'results.ndjson'), 'utf8')) as CaptureRecord
    expect(line).toEqual(records[0])
  })

  it('fails in freeze, with its state and its status, also from the lock file', async () => {
    const { paths } = await temporarySite({ 'index.html': IN_ELEMENT })
    const { source } = failingSource(failed)
    for (const offline of [false, true]) {
      const { previews, failures } = await freeze({ ...paths, source, offline })
      expect(previews).toMatchObject({ failed: 1, new: 0 })
      expect(failures).toEqual([
        {
          url: URL,
          pages: ['index.html'],
          hasPreview: false,
          message: expect.any(String),
          ...defined({ code, state, statusCode }),
        },
      ])
    }
  })

  it('leaves a card without an image by default, which has no word of the message', async () => {
    const { paths, read } = await temporarySite({ 'index.html': IN_ELEMENT })
    await freeze({ ...paths, source: failingSource(failed).source })
    const html = await read('index.html')
    expect(html).toContain(`<a class="pp-link" href="${URL}">`)
    expect(html).not.toMatch(/<img|Oops|went wrong/)
  })

  it('keeps its last good card whatever a failed page leaves', async () => {
    const { paths, read } = await temporarySite({ 'index.html': IN_ELEMENT })
    const { source, pages } = failingSource(failed)
    const failure = pages[URL]!
    delete pages[URL]
    await freeze({ ...paths, source })
    pages[URL] = failure
    const { failures } = await freeze({ ...paths, source, failed: 'link', refresh: [URL] })
    expect(failures).toMatchObject([{ url: URL, ...defined({ code, statusCode }), hasPreview: true }])
    expect(await read('index.html')).toContain(`Title of ${URL}`)
  })

  it('is named by check, with its status', () => {
    const result = error ? classifyError(error) : classifyPage({ statusCode: statusCode!, data: dataOf(failed) })
    expect(result).toMatchObject(defined({ state, statusCode, code: error?.code }))
    expect(result.outcome).toBe(
      error || statusCode === 500 ? 'unreachable' : state === 'error-page' ? 'absent' : 'unclear',
    )
    if (state === 'error-page') expect(result.reason).toMatch(`It shows an error page. Its server`)
    if (state === 'error-page') expect(result.reason).toContain(`HTTP ${statusCode}`)
  })
})

it.each(FAILED_PAGES.filter(({ state }) => state && state !== 'consent'))(
  'the card of the service for a page that $name is its address, without a word of the message',
  (failed) => {
    const card = htmlCard(dataOf(failed), { url: URL, screenshot: true }, { styles: '', discovery: undefined })
    expect(card).toContain('<span class="pp-title">shoreline.example/essay</span>')
    expect(card).not.toMatch(/<img|Oops|went wrong/)
  },
)

describe('with --failed=link, a page that could never be previewed leaves', () => {
  const options = (source = failingSource(FAILED_PAGES[0]!)) => ({ failed: 'link', source: source.source }) as const
  async function frozen(html: string, more: Partial<FreezeOptions> = {}) {
    const { paths, read, write } = await temporarySite({ 'index.html': html })
    const run = (again: Partial<FreezeOptions> = {}) => freeze({ ...paths, ...options(), ...more, ...again })
    return { result: await run(), run, read: () => read('index.html'), write, paths }
  }

  it.each([
    ['a marked link', `<p>See ${MARKED} now.</p>`],
    ['a link that --auto selects', `<p>${LINK}</p>`],
    ['an element with a link', `<p>See ${IN_ELEMENT}</p>`],
  ])('%s as its author wrote it', async (_, html) => {
    const { result, read } = await frozen(html, { auto: 'p > a:only-child' })
    expect(result).toMatchObject({ changedPages: 0, failures: [{ code: 'error-page', statusCode: 404 }] })
    expect(await read()).toBe(html)
  })

  it('a link to its address for an element without one, in every run', async () => {
    const { read, run } = await frozen(`<page-preview url="${URL}" screenshot></page-preview>`)
    const html = await read()
    expect(html).toContain(
      `<page-preview data-frozen url="${URL}" screenshot><a href="${URL}">shoreline.example/essay</a></page-preview>`,
    )
    expect(await run()).toMatchObject({ changedPages: 0 })
    await run({ source: fakeSource().source })
    expect(await read()).toContain(`<span class="pp-title">Title of ${URL}</span>`)
    expect(await read()).not.toContain('aria-label')
  })

  it.each([MARKED, IN_ELEMENT])('the link that a card has replaced: %s', async (html) => {
    const { read, run, write, paths } = await frozen(html, { failed: 'card' })
    expect(await read()).toContain('pp-fallback')
    await run({ failed: 'link' })
    const link = await read()
    expect(link).toMatch(
      new RegExp(`<page-preview [^>]*data-frozen[^>]*><a href="${URL}">The essay</a></page-preview>`),
    )
    expect(await run({ failed: 'link' })).toMatchObject({ changedPages: 0 })
    await write('index.html', link)
    await freeze({ ...paths, source: fakeSource().source })
    expect(await read()).toContain(`aria-label="The essay"`)
  })

  it('a link beside that of an archived copy on request, and alone without it', async () => {
    const { read, run } = await frozen(IN_ELEMENT, { archive: true })
    expect(await read()).toMatch(
      new RegExp(
        `><a href="${URL}">The essay</a> <a class="pp-archive" href="https://web.archive.org/[^"]+" rel="noopener">`,
      ),
    )
    expect(await run()).toMatchObject({ changedPages: 0 })
    await run({ archive: false })
    expect(await read()).toContain(`><a href="${URL}">The essay</a></page-preview>`)
  })

  it('no stylesheet and no files', async () => {
    const { html, files, previews, cards } = await freezeHtml(`<head></head>${IN_ELEMENT}`, {
      resolve: () => Promise.resolve(undefined),
      assets: '/page-preview/',
      failed: 'link',
    })
    expect({ html, files, previews }).toEqual({ html: `<head></head>${IN_ELEMENT}`, files: [], previews: 0 })
    expect(cards).toMatchObject([{ isOwnLink: true, html: LINK }])
  })

  it('a link in Markdown, by the plugin of rehype', async () => {
    const { paths, dir } = await temporarySite({})
    const file = await unified()
      .use(remarkParse)
      .use(remarkRehype)
      .use(rehypePagePreview, { ...paths, ...options(), publicDir: dir, auto: 'p > a:only-child', mdx: false })
      .use(rehypeStringify, { allowDangerousHtml: true })
      .process(`[The *essay*](${URL})\n`)
    expect(String(file)).toBe(`<p><a href="${URL}">The <em>essay</em></a></p>`)
  })

  it('a link in the page of VitePress', async () => {
    const { paths } = await temporarySite({})
    const config = withPagePreview({ vite: { plugins: [] as unknown[] } }, { ...paths, ...options() })
    const renderer = { render: () => MARKED }
    ;(config as { markdown?: { config(markdown: object): void } }).markdown!.config(renderer)
    const [plugin] = config.vite.plugins as { transform(code: string): Promise<{ code: string }> }[]
    const { code } = await plugin!.transform(`const html = ${JSON.stringify(renderer.render())}`)
    expect(code).toContain(JSON.stringify(MARKED).slice(1, -1))
  })
})

describe('content with an error status', () => {
  const content = { data: { title: 'An app on a static host' }, statusCode: 404 }

  it('is content, in capture and in a card', async () => {
    const { paths, read } = await temporarySite({ 'index.html': IN_ELEMENT })
    const { source, pages } = fakeSource()
    pages[URL] = content
    expect(await freeze({ ...paths, source })).toMatchObject({ previews: { new: 1, failed: 0 }, failures: [] })
    expect(await read('index.html')).toContain('An app on a static host')
    expect(await freeze({ ...paths, source, refresh: [URL] })).toMatchObject({ previews: { refreshed: 1 } })
  })

  it('never replaces content without one', async () => {
    const { paths, read } = await temporarySite({ 'index.html': IN_ELEMENT })
    const { source, pages } = fakeSource()
    await freeze({ ...paths, source })
    pages[URL] = content
    expect(await freeze({ ...paths, source, refresh: [URL] })).toMatchObject({
      failures: [{ code: 'HTTP 404', statusCode: 404, hasPreview: true }],
    })
    expect(await read('index.html')).toContain(`Title of ${URL}`)
  })
})

const defined = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
