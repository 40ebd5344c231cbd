// Covers the server components rendered on a server and hydrated.
// @vitest-environment node
import { version, type ReactElement } from 'react'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { beforeEach, expect, it, vi } from 'vitest'
import type { PageError } from '../../../src/query/index.js'
import { PagePreview as BrowserPreview } from '../../../src/react/index.js'
import {
  LivePagePreview,
  PagePreview,
  type LivePagePreviewProps,
  type PagePreviewProps,
} from '../../../src/react/rsc/index.js'
import { fakeService, page, screenshot, TARGET } from '../fake-service.js'

const KEY = 'pp_0123456789ab_hush'
const endpoint = { free: 'https://service.test', pro: 'https://pro.test' }

// `test/react/warnings.server.dom.test.ts` covers what the server's console says.
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

const make = async (props: Omit<PagePreviewProps, 'url'>) =>
  (await PagePreview({ url: TARGET, ...props })) as ReactElement
const makeLive = async (props: Omit<LivePagePreviewProps, 'url'>) =>
  (await LivePagePreview({ url: TARGET, ...props })) as ReactElement
const htmlOf = async (props: Omit<PagePreviewProps, 'url'>) => renderToString(await make(props))

it.each(['card', 'row', 'image', 'inline'] as const)(
  'in the layout %s renders the markup of the browser’s component for the same data, without script',
  async (layout) => {
    const { fetch } = fakeService({})
    const html = renderToStaticMarkup(
      await make({ fetch, endpoint, layout, screenshot: true, className: 'mine', id: 'one' }),
    )
    const props = { url: TARGET, data: page, layout, className: 'mine', id: 'one' }
    // Data from the caller keeps its own ratio, data from the service does not.
    const expected = renderToStaticMarkup(<BrowserPreview {...props} />).replace(' data-fit="own"', '')
    expect(html).toBe(expected)
    expect(html).not.toMatch(/ style=|<script|data-pending/)
  },
)

it('sends one request, with the parameters of the query only', async () => {
  const service = fakeService({})
  await make({ fetch: service.fetch, endpoint, screenshot: true, element: '#main', query: { filter: 'title' } })
  expect(service.requests.map(String)).toEqual([
    `https://service.test/?element=%23main&url=${encodeURIComponent(TARGET)}`,
  ])
})

it('shows only the filtered fields', async () => {
  const { fetch } = fakeService({})
  const html = await htmlOf({ fetch, endpoint, query: { filter: 'title' } })
  expect(html).toContain('How a tide table is made')
  expect(html).not.toContain('Before satellites')
})

it.each<[string, typeof globalThis.fetch, PageError['code']]>([
  ['responds with an error', fakeService({ error: { status: 422, code: 'EELEMENT' } }).fetch, 'EELEMENT'],
  ['cannot be reached', () => Promise.reject(new TypeError('fetch failed')), 'EFATALCLIENT'],
  ['does not respond in time', fakeService({ after: new Promise(() => {}) }).fetch, 'ETIMEOUTCLIENT'],
  ['ignores the abort signal', () => new Promise(() => {}), 'ETIMEOUTCLIENT'],
])('is a link and reports the error when the service %s', async (_, fetch, code) => {
  const errors: PageError[] = []
  const html = await htmlOf({
    fetch,
    endpoint,
    screenshot: true,
    timeLimit: 30,
    onError: (error) => errors.push(error),
  })
  expect(html).toContain(
    `<a class="pp-link" href="${TARGET}"><span class="pp-title">shoreline.example/essays/tide-tables`,
  )
  expect(html).not.toMatch(/<img|<button|pp-skeleton|aria-busy/)
  expect(errors).toMatchObject([{ code }])
})

it('has the embedded image even when the service does not respond', async () => {
  const html = await htmlOf({
    fetch: () => new Promise(() => {}),
    endpoint,
    screenshot: true,
    embed: true,
    timeLimit: 30,
  })
  expect(html).toContain('src="https://service.test/?embed=true&amp;screenshot=true&amp;url=')
})

it('preloads an image with priority in all of its sizes', async () => {
  const stored = { ...screenshot, url: `https://service.test/images/${'a'.repeat(64)}.jpg` }
  const { fetch } = fakeService({ data: { ...page, screenshot: stored } })
  const html = await htmlOf({ fetch, endpoint, screenshot: true, priority: true })
  const [, widths, sizes] = / sizes="([^"]+)" srcSet="([^"]+)"/.exec(/<img [^>]+>/.exec(html)![0])!
  expect(sizes).toContain('w=640')
  const preload = `<link rel="preload" as="image" imageSrcSet="${sizes}" imageSizes="${widths}" fetchPriority="high"/>`
  expect(html.startsWith(preload)).toBe(!version.startsWith('18'))
})

it('is no link for an invalid URL', async () => {
  const errors: PageError[] = []
  const html = renderToString(await PagePreview({ url: 'javascript:alert(1)', onError: (error) => errors.push(error) }))
  expect(html).not.toContain('javascript:alert(1)"')
  expect(errors).toMatchObject([{ code: 'EINVALURL' }])
})

it('rethrows errors of the program', async () => {
  const fetch = () => {
    throw new ReferenceError('nothing here')
  }
  await expect(make({ fetch, endpoint, onError: fetch })).rejects.toThrow(ReferenceError)
})

it.each<[Partial<LivePagePreviewProps>]>([
  [{ apiKey: KEY }],
  [{ query: { headers: { apiKey: KEY } } }],
  [{ query: { headers: { 'api-key': KEY } } }],
  [{ query: { headers: { api_key: KEY } } }],
  [{ query: { headers: { 'API-KEY': KEY } } }],
  [{ query: { ['headers.api-key' as 'scroll']: KEY } }],
])('sends the API key to the pro host and nowhere else: %j', async (secret) => {
  const service = fakeService({})
  const html = await htmlOf({ ...secret, fetch: service.fetch, endpoint, screenshot: true, embed: true })
  expect(service.requests[0]!.origin).toBe('https://pro.test')
  const live = await makeLive({ ...secret, fetch: service.fetch, endpoint, screenshot: true })
  expect(live.props).toMatchObject({ url: TARGET, serverResult: { result: { data: page } } })
  expect(live.props).not.toHaveProperty('fetch')
  for (const text of [html, renderToString(live), JSON.stringify(live.props)]) expect(text).not.toContain('hush')
})

it.each<[Partial<LivePagePreviewProps>, unknown]>([
  [{}, endpoint],
  [{ apiKey: KEY }, undefined],
  [{ query: { headers: { 'api-key': KEY } } }, undefined],
  [{ apiKey: '' }, endpoint],
  [{ apiKey: KEY, browserEndpoint: '/previews' }, '/previews'],
])('a live preview with %j sends its requests to %j in the browser', async (props, browserEndpoint) => {
  const live = await makeLive({ ...props, fetch: fakeService({}).fetch, endpoint })
  expect(live.props).toHaveProperty('endpoint', browserEndpoint)
})

it.each<[Partial<LivePagePreviewProps>]>([
  [{ apiKey: KEY }],
  [{ apiKey: KEY, browserEndpoint: '/previews' }],
  [{ query: { headers: { 'api-key': KEY, cookie: 'a=b' } } }],
  [{ locale: 'de_AT' }],
])('a live preview with %j finds the result of the server in the browser', async (props) => {
  const html = renderToString(await makeLive({ ...props, fetch: fakeService({}).fetch, endpoint, screenshot: true }))
  expect(html).toContain('data-status="ready"')
})

it('a live preview starts in the browser as the complete card', async () => {
  const { fetch } = fakeService({})
  const html = renderToString(await makeLive({ fetch, endpoint, screenshot: true }))
  expect(html).toContain('data-status="ready"')
  expect(html).toContain('How a tide table is made')
  expect(html).not.toContain(' style=')
  const silence = () => new Promise<never>(() => {})
  const waiting = renderToString(await makeLive({ fetch: silence, endpoint, timeLimit: 30 }))
  expect(waiting).toContain('data-status="loading"')
  expect(waiting).toContain(`href="${TARGET}"`)
})
