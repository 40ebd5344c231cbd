// Covers `useDevelopmentWarnings` of src/react/use-preview-data.ts.
import { createRequire } from 'node:module'
import { QueryClient } from '@tanstack/react-query'
import type * as reactQuery from '@tanstack/react-query'
import { cleanup, render, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { PagePreviewProps } from '../../src/react/index.js'
import { fakeService, type FakeResponse } from './fake-service.js'

// Other files, which share their modules with this one, may have caused the same warnings.
vi.resetModules()
const { PagePreview, PagePreviewProvider, pagePreviewQueryOptions, PageScreenshot, usePagePreview } =
  await import('../../src/react/index.js')

// A warning is not repeated, so each test has its own page.
let pages = 0
const newPage = () => `https://page-${pages++}.example/`

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const warnings = () => vi.mocked(console.warn).mock.calls.map(String)
const isWarned = async (...expected: unknown[]) => {
  await waitFor(() => expect(warnings()).not.toEqual([]))
  expect(warnings()).toEqual(expected)
}
const show = (props: Partial<PagePreviewProps>, response: FakeResponse = {}, queryClient = new QueryClient()) =>
  render(
    <PagePreviewProvider fetch={fakeService(response).fetch} queryClient={queryClient}>
      <PagePreview url={newPage()} loading="eager" {...props} />
    </PagePreviewProvider>,
  )
const refused = (status: number, code: string, data?: Record<string, string>): FakeResponse => ({
  error: { status, code, ...(data && { data }) },
})

it('warns about an invalid parameter with its value, its code and where to read on', async () => {
  show({ ttl: '99d' })
  await isWarned(
    expect.stringMatching(
      /^page-preview: <PagePreview>: ttl=\{"99d"\}: ttl must be .* \(EINVALTTL\) .*errors\.mdx#einvalttl$/,
    ),
  )
})

it('names an option by its place in an object', async () => {
  show({ screenshot: { quality: 101 } })
  await isWarned(expect.stringContaining('<PagePreview>: screenshot.quality={101}: screenshot.quality must be'))
})

it('warns once per cause', async () => {
  const url = 'http://localhost:5171/'
  const response = refused(403, 'EFORBIDDENURL', { url: 'it is not a public address' })
  show({ url }, response)
  show({ url: `${url}other`, layout: 'row' }, response)
  await isWarned(expect.stringContaining('--allow-target localhost:5171'), expect.stringContaining(`${url}other`))
  show({ url }, response)
  await waitFor(() => expect(document.querySelectorAll('[data-status=failed]')).toHaveLength(3))
  expect(warnings()).toHaveLength(2)
})

it('says how to start the service for a page that is not public', async () => {
  show({ url: 'http://127.0.0.1:5173/about', endpoint: 'https://previews.test' }, refused(403, 'EFORBIDDENURL'))
  await isWarned(
    'page-preview: <PagePreview>: From the service. If it is your own page, start the service with ' +
      '`--allow-target 127.0.0.1:5173`. (EFORBIDDENURL) https://previews.test/playground/errors.html#EFORBIDDENURL',
  )
})

it.each([
  'Pages of a.example may not be previewed here.',
  'a.example may not be fetched: this service does not create previews of its pages.',
])('does not advise to allow a host that a list refuses: %s', async (message) => {
  const fetch = async () => Response.json({ status: 'fail', code: 'EFORBIDDENURL', message, data: {} }, { status: 403 })
  render(<PagePreview url={`https://a.example/${message.length}`} endpoint="https://lists.test" />, {
    wrapper: ({ children }) => <PagePreviewProvider fetch={fetch}>{children}</PagePreviewProvider>,
  })
  await isWarned(expect.not.stringContaining('--allow-target'))
})

it('says what to pass if there is no endpoint and nothing responds', async () => {
  // Another file of this worker may have warned about it already.
  vi.resetModules()
  const fresh = await import('../../src/react/index.js')
  const { fetch } = fakeService({ text: '<!doctype html>' })
  render(
    <fresh.PagePreviewProvider fetch={fetch} queryClient={new QueryClient()}>
      <fresh.PagePreview url={newPage()} loading="eager" />
    </fresh.PagePreviewProvider>,
  )
  await isWarned(expect.stringMatching(/There is no `endpoint`, and no preview service responds at \/page-preview/))
})

it('says what has failed if the service has responded before', async () => {
  const url = newPage()
  const queryClient = new QueryClient()
  show({ url, endpoint: undefined }, {}, queryClient)
  await waitFor(() => expect(document.querySelector('[data-status=ready]')).not.toBeNull())
  cleanup()
  show({ url, endpoint: undefined, ttl: '1m' }, {}, queryClient)
  const { fetch } = fakeService({ text: '<!doctype html>' })
  await queryClient.prefetchQuery({ ...pagePreviewQueryOptions({ url }, { fetch }), staleTime: 0 })
  await isWarned(expect.stringContaining('(EFATALCLIENT)'))
  expect(warnings()[0]).not.toContain('There is no `endpoint`')
})

it.each([
  ['no key', 401, 'EAUTH'],
  ['too many requests', 429, 'ERATE'],
  ['a fault', 500, 'EFATAL'],
])('warns when the service refuses: %s', async (_, status, code) => {
  show({ endpoint: `https://${code}.test` }, refused(status, code))
  await isWarned(expect.stringContaining(`(${code}) https://${code}.test/`))
})

it('does not warn about a page that cannot be reached', async () => {
  show({ endpoint: 'https://previews.test' }, refused(404, 'EMAXREDIRECTS'))
  await waitFor(() => expect(document.querySelector('[data-status=failed]')).not.toBeNull())
  expect(warnings()).toEqual([])
})

it('names unknown options of a parameter', async () => {
  const viewport = { widht: 320 } as object
  show({ query: { viewport } })
  await isWarned(
    expect.stringContaining('Unknown parameter "viewport.widht" was ignored; did you mean viewport.width?'),
  )
})

it.each([
  ['screnshot', 'did you mean screenshot?'],
  ['Layout', 'did you mean layout?'],
  ['fullpage', 'did you mean screenshot={{ fullPage: … }}?'],
  ['apikey', 'did you mean apiKey?'],
  ['waitForSelectr', 'did you mean query={{ waitForSelector: … }}?'],
  ['fullPage', 'write screenshot={{ fullPage: … }}.'],
  ['viewport', 'write query={{ viewport: … }}.'],
  ['click', 'write query={{ click: … }}.'],
  ['src', 'pass the URL of the page as `url`.'],
  ['href', 'pass the URL of the page as `url`.'],
  ['host', 'pass the URL of the service as `endpoint`.'],
  ['hosts', 'pass the URL of the service as `endpoint`.'],
  ['messages', 'pass it to <PagePreviewProvider>.'],
  ['media', 'pass `screenshot` for a screenshot; without it, the preview shows the image of the page.'],
])('names what was probably meant by the prop %s', async (name, advice) => {
  show({ [name]: 'yes' })
  await isWarned(`page-preview: "${name}" is not a prop: ${advice}`)
})

it('warns about an API key in a browser', async () => {
  show({ apiKey: 'pp_secret' })
  await isWarned(expect.stringMatching(/`apiKey` is sent by the browser, where everybody can read it\..*`createProxy`/))
})

it('warns about settings for server components in a browser, without showing them', async () => {
  show({ server: { endpoint: 'https://inner.test', apiKey: 'pp_secret' } })
  await isWarned(expect.stringMatching(/^page-preview: `server` has no effect in a browser/))
  expect(warnings().join()).not.toMatch(/pp_secret|inner/)
})

it('says why an https page cannot request a service over http', async () => {
  vi.stubGlobal('location', { protocol: 'https:' })
  show({ endpoint: 'http://previews.test' })
  await isWarned(expect.stringContaining('block requests from this https page to http://previews.test, which is http.'))
  vi.unstubAllGlobals()
})

it('accepts the attributes of any element', async () => {
  show({
    title: 'a',
    lang: 'en',
    tabIndex: 0,
    itemProp: 'b',
    'aria-label': 'c',
    'data-layuot': 'd',
    onClick: () => {},
  } as object)
  await waitFor(() => expect(document.querySelector('[data-status=ready]')).not.toBeNull())
  expect(warnings()).toEqual([])
})

it('shows a card if there is no such layout, and says so', async () => {
  const layout = 'crad' as 'card'
  const { container } = show({ layout })
  await isWarned(
    'page-preview: <PagePreview>: Unknown layout "crad"; showing a card instead. The layouts are card, row, image and inline.',
  )
  expect(container.querySelector('article')!.dataset.layout).toBe('card')
})

it('warns once about a QueryClient from another copy of react-query', async () => {
  // Beside the modules that everything here imports, the package has a build for `require`.
  const other: typeof reactQuery = createRequire(import.meta.url)('@tanstack/react-query')
  const { fetch } = fakeService({})
  await new other.QueryClient().prefetchQuery(pagePreviewQueryOptions({ url: newPage() }, { fetch }))
  show({}, {}, new other.QueryClient())
  await waitFor(() => expect(document.querySelector('[data-status=ready]')).not.toBeNull())
  await isWarned(expect.stringMatching(/^page-preview: There are two copies of @tanstack\/react-query/))
})

it('names the component, and the hook', async () => {
  const { fetch } = fakeService(refused(401, 'EAUTH'))
  const inApp = (children: ReactNode) => render(<PagePreviewProvider fetch={fetch}>{children}</PagePreviewProvider>)
  inApp(<PageScreenshot url={newPage()} endpoint="https://one.test" loading="eager" />)
  await isWarned(expect.stringContaining('page-preview: <PageScreenshot>: '))
  vi.mocked(console.warn).mockClear()
  const url = newPage()
  function Own() {
    usePagePreview({ url, endpoint: 'https://two.test' })
    return null
  }
  inApp(<Own />)
  await isWarned(expect.stringContaining('page-preview: usePagePreview(): '))
})
