// Covers `useDevelopmentWarnings` of src/react/data/use-preview-data.ts.
import { createRequire } from 'node:module'
import { QueryClient } from '@tanstack/react-query'
import type * as reactQuery from '@tanstack/react-query'
import { cleanup, render, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  PagePreview,
  pagePreviewQueryOptions,
  PageScreenshot,
  usePagePreview,
  type PagePreviewProps,
} from '../../../src/react/index.js'
import { fakeService, type FakeResponse } from '../fake-service.js'

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
const show = (props: Partial<PagePreviewProps>, response: FakeResponse = {}) =>
  render(
    <PagePreview
      url={newPage()}
      loading="eager"
      fetch={fakeService(response).fetch}
      queryClient={new QueryClient()}
      {...props}
    />,
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

it('says what to pass if there is no endpoint and nothing responds', async () => {
  // Another file of this worker may have warned about it already.
  vi.resetModules()
  const { PagePreview: FreshPreview } = await import('../../../src/react/index.js')
  const { fetch } = fakeService({ text: '<!doctype html>' })
  render(<FreshPreview url={newPage()} loading="eager" fetch={fetch} queryClient={new QueryClient()} />)
  await isWarned(expect.stringMatching(/There is no `endpoint`, and no preview service responds at \/page-preview/))
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
  const viewport = { widht: 320 } as PagePreviewProps['viewport']
  show({ viewport })
  await isWarned(
    expect.stringContaining('Unknown parameter "viewport.widht" was ignored; did you mean viewport.width?'),
  )
})

it.each([
  ['screnshot', 'screenshot'],
  ['Layout', 'layout'],
  ['fullpage', 'screenshot={{ fullPage: … }}'],
  ['apikey', 'apiKey'],
  ['browsr', 'overlay={{ browser: … }}'],
])('names the prop that was probably meant by %s', async (name, meant) => {
  show({ [name]: 'yes' } as object)
  await isWarned(`page-preview: Unknown prop "${name}". Did you mean ${meant}?`)
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
  show({ queryClient: new other.QueryClient() })
  await waitFor(() => expect(document.querySelector('[data-status=ready]')).not.toBeNull())
  await isWarned(expect.stringMatching(/^page-preview: There are two copies of @tanstack\/react-query/))
})

it('names the component, and the hook', async () => {
  const { fetch } = fakeService(refused(401, 'EAUTH'))
  render(<PageScreenshot url={newPage()} endpoint="https://one.test" loading="eager" fetch={fetch} />)
  await isWarned(expect.stringContaining('page-preview: <PageScreenshot>: '))
  vi.mocked(console.warn).mockClear()
  const url = newPage()
  function Own() {
    usePagePreview({ url, endpoint: 'https://two.test', fetch })
    return null
  }
  render(<Own />)
  await isWarned(expect.stringContaining('page-preview: usePagePreview(): '))
})
