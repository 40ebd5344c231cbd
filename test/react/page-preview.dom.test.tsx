import { onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createRef, StrictMode, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PagePreview, PagePreviewProvider, type AppSettings, type PagePreviewProps } from '../../src/react/index.js'
import type { PageData } from '../../src/query/index.js'
import { deferred, fakeService, page, screenshot, TARGET, type FakeService } from './fake-service.js'

let queryClient: QueryClient
let service: FakeService

beforeEach(() => {
  queryClient = new QueryClient()
  service = fakeService({})
})
afterEach(() => {
  settings = {}
  cleanup()
  onlineManager.setOnline(true)
  queryClient.clear()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** What the provider has beside the service. */
let settings: AppSettings = {}

const App = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>
    <PagePreviewProvider fetch={(...request) => service.fetch(...request)} {...settings}>
      {children}
    </PagePreviewProvider>
  </QueryClientProvider>
)
const show = (props: Partial<PagePreviewProps> = {}) =>
  render(<PagePreview url={TARGET} data-testid="root" {...props} />, { wrapper: App })
const root = () => screen.getByTestId('root')
const state = () => root().dataset.status
const isReady = () => waitFor(() => expect(state()).toBe('ready'))
const isFailed = async () => {
  await waitFor(() => expect(state()).toBe('failed'))
  // The reason is loaded only now.
  await screen.findByText(/^(No preview|Keine Vorschau)/)
}
const html = (element: Element | null) => element?.outerHTML

describe('markup', () => {
  it('shows a working link, the host and a skeleton while it loads', () => {
    show({ screenshot: true })
    expect(html(root())).toBe(
      '<article aria-busy="true" data-testid="root" class="page-preview" data-layout="card" data-status="loading">' +
        '<div class="pp-media"></div>' +
        '<div class="pp-body"><div class="pp-text">' +
        `<a class="pp-link" href="${TARGET}"><span class="pp-title">shoreline.example/essays/tide-tables</span><span class="pp-cover"></span></a>` +
        '<span class="pp-skeleton"></span><span class="pp-skeleton"></span><span class="pp-skeleton"></span></div>' +
        '<span class="pp-site"><span class="pp-icon" aria-hidden="true">S</span><bdi class="pp-host">shoreline.example</bdi></span>' +
        '</div></article>',
    )
  })

  it.each([undefined, null])('says that there is no preview of a URL that is %s', async (url) => {
    show({ url: url! })
    await isFailed()
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('is not busy on a server, nor far from the viewport: nothing is requested yet', () => {
    for (const loading of ['lazy', 'eager'] as const) {
      const element = <PagePreview url={TARGET} screenshot loading={loading} />
      expect(renderToString(<App>{element}</App>)).not.toContain('aria-busy')
    }
  })

  it('lets the caller decide what is busy', () => {
    show({ screenshot: true, 'aria-busy': false })
    expect(root().getAttribute('aria-busy')).toBe('false')
  })

  it('needs only the URL of an image in data of your own', () => {
    show({ data: { title: 'Tides', image: { url: 'https://images.example/tides.jpg' } } })
    expect(root().querySelector('img.pp-image')!.getAttribute('src')).toBe('https://images.example/tides.jpg')
    expect(root().textContent).not.toMatch(/undefined|NaN/)
    expect(html(root())).not.toMatch(/undefined|NaN/)
  })

  it('shows the image, the texts and the image details when it is ready', async () => {
    show({ screenshot: true })
    await isReady()
    fireEvent.load(screen.getByRole('img'))
    await waitFor(() => expect(screen.getByRole('img').hasAttribute('data-pending')).toBe(false))
    expect(html(root())).toBe(
      '<article data-testid="root" class="page-preview" data-layout="card" data-status="ready" style="--pp-media-background: #f6f1e5;">' +
        '<div class="pp-media"><img class="pp-image" width="2560" height="1600" loading="lazy" decoding="async" alt="How a tide table is made" src="https://service.test/images/one.jpg"></div>' +
        '<div class="pp-body"><div class="pp-text">' +
        `<a class="pp-link" href="${TARGET}"><span class="pp-title">How a tide table is made</span><span class="pp-cover"></span></a>` +
        '<br><span class="pp-description">Before satellites there was a brass machine.</span></div>' +
        '<span class="pp-site"><span class="pp-icon" aria-hidden="true">S</span><bdi class="pp-host">shoreline.example</bdi></span>' +
        '<span class="pp-image-details" dir="ltr"><span>2560 × 1600</span><span>JPG</span><span>53.3 kB</span></span>' +
        '</div></article>',
    )
  })

  it.each(['card', 'row', 'image'] as const)(
    'leaves the image details of a %s out with imageDetails={false}',
    async (layout) => {
      show({ screenshot: true, layout, imageDetails: false })
      await isReady()
      expect(root().querySelector('.pp-image-details')).toBeNull()
      expect(root().querySelector('.pp-body')!.lastElementChild!.className).toBe('pp-site')
    },
  )

  it('shows a fallback, the link, the reason and a retry button after a failure', async () => {
    service.respondWith({ error: { status: 422, code: 'EELEMENT', data: { element: 'hidden' } } })
    show({ element: '#yearly' })
    await isFailed()
    expect(html(root().querySelector('.pp-media'))).toBe(
      '<div class="pp-media"><span class="pp-fallback" aria-hidden="true">S</span></div>',
    )
    expect(screen.getByRole('link').textContent).toBe('shoreline.example/essays/tide-tables')
    expect(root().querySelector('.pp-description')?.textContent).toBe('No preview: this part of the page is hidden.')
    expect(html(screen.getByRole('button'))).toBe('<button class="pp-retry" type="button">Retry</button>')
    expect(root().hasAttribute('aria-busy')).toBe(false)
  })

  it('shows the icon of the page, and the letter when the icon cannot be loaded', async () => {
    service.respondWith({ data: { ...page, logo: { ...noMedia, url: 'https://shoreline.example/icon.svg' } } })
    show()
    await isReady()
    const icon = root().querySelector('.pp-icon img')
    expect(html(icon)).toBe('<img width="16" height="16" alt="" src="https://shoreline.example/icon.svg">')
    fireEvent.error(icon!)
    expect(html(root().querySelector('.pp-icon'))).toBe('<span class="pp-icon" aria-hidden="true">S</span>')
  })

  it('shows the URL in place of a missing description', async () => {
    service.respondWith({ data: { title: 'Tides', description: null } })
    show()
    await isReady()
    expect(root().querySelector('.pp-description')?.textContent).toBe('shoreline.example/essays/tide-tables')
  })

  it('shows the page’s own image when no screenshot was requested', async () => {
    const image = { ...noMedia, url: 'https://shoreline.example/cover.webp', type: 'webp', width: 1200, height: 630 }
    service.respondWith({ data: { title: 'Tides', image } })
    show()
    await isReady()
    const element = screen.getByRole('img')
    expect(element.getAttribute('alt')).toBe('Tides')
    expect(element.getAttribute('width')).toBe('1200')
    expect(root().querySelector('.pp-image-details')?.textContent).toBe('1200 × 630WebP')
  })

  it('shows a fallback when the image cannot be loaded', async () => {
    show({ screenshot: true })
    await isReady()
    fireEvent.error(screen.getByRole('img'))
    expect(root().querySelector('.pp-image')).toBeNull()
    expect(root().querySelector('.pp-fallback')?.textContent).toBe('S')
  })

  it('never crops an element', () => {
    show({ element: '#yearly' })
    expect(root().dataset.fit).toBe('contain')
  })

  it('uses its children as the text of the link until the title is known', async () => {
    show({ children: 'The tide essay' })
    expect(screen.getByRole('link').textContent).toBe('The tide essay')
    await isReady()
    expect(screen.getByRole('link').textContent).toBe('How a tide table is made')
  })

  it('has two skeleton lines in the row layout', () => {
    show({ layout: 'row' })
    expect(root().dataset.layout).toBe('row')
    expect(root().querySelectorAll('.pp-skeleton')).toHaveLength(2)
  })

  it('has a caption of one line in the image layout', async () => {
    show({ layout: 'image', screenshot: true })
    await isReady()
    expect(root().tagName).toBe('FIGURE')
    expect(html(root().querySelector('.pp-body'))).toBe(
      '<div class="pp-body"><span class="pp-site"><span class="pp-icon" aria-hidden="true">S</span>' +
        `<a class="pp-link pp-host" href="${TARGET}"><span class="pp-title">How a tide table is made</span><span class="pp-cover"></span></a></span>` +
        '<span class="pp-image-details" dir="ltr"><span>2560 × 1600</span><span>JPG</span><span>53.3 kB</span></span></div>',
    )
  })

  it('keeps its children as the text of a chip in the inline layout', async () => {
    show({ layout: 'inline', children: 'the tide essay' })
    await isReady()
    expect(html(root())).toBe(
      `<a data-testid="root" href="${TARGET}" class="page-preview" data-layout="inline" data-status="ready">` +
        '<span class="pp-icon" aria-hidden="true">S</span><span>the tide essay</span></a>',
    )
  })

  it('passes attributes to the root and appends class names to its own', async () => {
    show({
      id: 'mine',
      className: 'wide',
      style: { color: 'red' },
      theme: 'dark',
      classNames: { root: 'frame', title: 'loud' },
      'aria-label': 'Tides',
    })
    expect(root().id).toBe('mine')
    expect(root().className).toBe('page-preview frame wide')
    expect(root().getAttribute('aria-label')).toBe('Tides')
    expect(root().dataset.theme).toBe('dark')
    expect(root().style.color).toBe('red')
    expect(root().querySelector('.pp-title')?.className).toBe('pp-title loud')
  })

  it.each(['card', 'row', 'image', 'inline'] as const)(
    'opens the link of the layout %s where it says',
    async (layout) => {
      show({ layout, target: '_blank', rel: 'nofollow', data: page })
      const link = screen.getByRole('link')
      expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual(['_blank', 'nofollow'])
    },
  )

  it('gives the caller its root element', () => {
    const ref = createRef<HTMLElement>()
    render(<PagePreview url={TARGET} ref={ref} data-testid="root" />, { wrapper: App })
    expect(ref.current).toBe(root())
  })

  it('shows the caller’s messages', async () => {
    service.respondWith({ error: { status: 429, code: 'ERATE' } })
    settings = {
      messages: { retry: 'Nochmal', failed: (reason) => `Keine Vorschau, ${reason}`, reasons: { ERATE: 'genug' } },
    }
    show()
    await isFailed()
    expect(screen.getByRole('button').textContent).toBe('Nochmal')
    expect(root().querySelector('.pp-description')?.textContent).toBe('Keine Vorschau, genug')
  })
})

describe('requests', () => {
  it('sends every query parameter to the service and sets none of them as an attribute', async () => {
    show({
      device: 'iPhone 6',
      query: {
        headers: { 'user-agent': 'x' },
        styles: 'p{}',
        scroll: '#a',
        filter: 'title',
        meta: { title: true },
      },
    })
    await isReady()
    expect(Object.fromEntries(service.requests[0]!.searchParams)).toEqual({
      url: TARGET,
      device: 'iPhone 6',
      'headers.user-agent': 'x',
      'meta.title': 'true',
      scroll: '#a',
      styles: 'p{}',
    })
    expect(root().getAttributeNames()).toEqual(['data-testid', 'class', 'data-layout', 'data-status'])
  })

  it('shows only the filtered fields and caches the whole result', async () => {
    show({ query: { filter: 'title' }, screenshot: true })
    await isReady()
    expect(root().querySelector('.pp-image')).toBeNull()
    expect(screen.getByRole('link').textContent).toBe('How a tide table is made')
    expect(queryClient.getQueryCache().getAll()[0]?.state.data).toMatchObject({ data: { screenshot } })
  })

  it('sends one request for two previews of one page, under the documented query key', async () => {
    render(
      <>
        <PagePreview url={TARGET} screenshot data-testid="root" />
        <PagePreview url={TARGET} screenshot embed />
      </>,
      { wrapper: App },
    )
    await isReady()
    expect(service.requests).toHaveLength(1)
    expect(
      queryClient
        .getQueryCache()
        .getAll()
        .map((query) => query.queryKey),
    ).toEqual([['page-preview', 1, '/page-preview', `screenshot=true&url=${encodeURIComponent(TARGET)}`]])
  })

  it('aborts the request on unmount', async () => {
    service.respondWith({ after: new Promise(() => {}) })
    const { unmount } = show()
    await waitFor(() => expect(service.signals).toHaveLength(1))
    unmount()
    expect(service.signals[0]!.aborted).toBe(true)
  })

  it('aborts the previous request and shows nothing of the previous page when the URL changes', async () => {
    const { rerender } = show({ screenshot: true })
    await isReady()
    service.respondWith({ after: new Promise(() => {}) })
    rerender(<PagePreview url="https://mara.example" screenshot data-testid="root" />)
    expect(state()).toBe('loading')
    expect(root().querySelector('.pp-image')).toBeNull()
    await waitFor(() => expect(service.signals).toHaveLength(2))
    rerender(<PagePreview url="https://tern.example" screenshot data-testid="root" />)
    await waitFor(() => expect(service.signals).toHaveLength(3))
    expect(service.signals[1]!.aborted).toBe(true)
    expect(screen.getByRole('link').getAttribute('href')).toBe('https://tern.example')
  })

  it('never shows the previous page, even when the app sets placeholderData', async () => {
    queryClient.setDefaultOptions({ queries: { placeholderData: (previous: unknown) => previous } })
    const { rerender } = show({ screenshot: true })
    await isReady()
    service.respondWith({ after: new Promise(() => {}) })
    rerender(<PagePreview url="https://mara.example" screenshot data-testid="root" />)
    expect(state()).toBe('loading')
    expect(root().querySelector('.pp-image')).toBeNull()
  })

  it('sends no request when it gets data', () => {
    show({ data: page, layout: 'image' })
    expect(state()).toBe('ready')
    expect(root().dataset.fit).toBe('own')
    expect(service.requests).toEqual([])
  })

  it('shows the embedded image before the first response, with its own ttl', async () => {
    service.respondWith({ after: new Promise(() => {}) })
    show({ embed: true, element: '#yearly', endpoint: 'https://service.test' })
    expect(state()).toBe('loading')
    const image = screen.getByRole('img')
    expect(image.getAttribute('src')).toBe(
      `https://service.test/?element=%23yearly&embed=true&url=${encodeURIComponent(TARGET)}`,
    )
    expect([image.getAttribute('width'), image.getAttribute('height')]).toEqual(['1280', '800'])
    await waitFor(() => expect(service.requests).toHaveLength(1))
    expect(Object.fromEntries(service.requests[0]!.searchParams)).toEqual({
      url: TARGET,
      element: '#yearly',
      ttl: '2678400000',
      staleTtl: '86400000',
    })
  })

  it('keeps the embedded image after the response, and falls back to the image of the response', async () => {
    show({ embed: 'screenshot.url' })
    const image = screen.getByRole('img')
    await isReady()
    expect(screen.getByRole('img')).toBe(image)
    expect(image.getAttribute('src')).toContain('embed=screenshot.url')
    expect(image.getAttribute('width')).toBe('2560')
    fireEvent.error(image)
    expect(screen.getByRole('img').getAttribute('src')).toBe(screenshot.url)
    fireEvent.error(screen.getByRole('img'))
    expect(root().querySelector('.pp-fallback')).not.toBeNull()
  })

  it('keeps the API key out of URLs and query keys, and takes the image from the response', async () => {
    const endpoint = { free: 'https://free.test', pro: 'https://pro.test' }
    show({ apiKey: 'pp_secret', embed: true, screenshot: true, endpoint })
    expect(root().querySelector('.pp-image')).toBeNull()
    await isReady()
    expect(screen.getByRole('img').getAttribute('src')).toBe(screenshot.url)
    render(<PagePreview url={TARGET} query={{ headers: { apiKey: 'pp_secret' } }} ttl="1s" endpoint={endpoint} />, {
      wrapper: App,
    })
    await waitFor(() => expect(queryClient.getQueryCache().getAll()[1]?.state.status).toBe('error'))
    expect(service.requests.map(({ host }) => host)).toEqual(['pro.test'])
    const keys = queryClient
      .getQueryCache()
      .getAll()
      .map((query) => query.queryHash)
    expect(document.body.innerHTML + service.requests.join() + keys.join()).not.toContain('pp_secret')
  })

  it('uses the QueryClient of the app without changing its defaults', async () => {
    const before = queryClient.getDefaultOptions()
    show()
    await isReady()
    expect(queryClient.getQueryCache().getAll()).toHaveLength(1)
    expect(queryClient.getDefaultOptions()).toBe(before)
  })

  it('prefers the QueryClient of the provider to the app’s client', async () => {
    const ownClient = new QueryClient()
    settings = { queryClient: ownClient }
    show()
    await isReady()
    expect(ownClient.getQueryCache().getAll()).toHaveLength(1)
    expect(queryClient.getQueryCache().getAll()).toEqual([])
    ownClient.clear()
  })

  it('shares one mounted QueryClient when the app has none', async () => {
    // Another file of this worker may have rendered a preview without one already.
    vi.resetModules()
    const fresh = await import('../../src/react/index.js')
    const mount = vi.spyOn(QueryClient.prototype, 'mount')
    const url = 'https://own.example'
    const provider = (testId: string) => (
      <fresh.PagePreviewProvider fetch={service.fetch}>
        <fresh.PagePreview url={url} data-testid={testId} />
      </fresh.PagePreviewProvider>
    )
    render(provider('root'))
    render(provider('other'))
    await isReady()
    expect(screen.getByTestId('other').dataset.status).toBe('ready')
    expect(service.requests).toHaveLength(1)
    expect(mount).toHaveBeenCalledTimes(1)
  })
})

it('takes an address without a scheme as https', async () => {
  show({ url: 'shoreline.example/tides' })
  await isReady()
  expect(service.requests.map(({ searchParams }) => searchParams.get('url'))).toEqual([
    'https://shoreline.example/tides',
  ])
})

describe('failures', () => {
  it.each([
    ['javascript:alert(1)', 'No preview: this is not the address of a page.'],
    ['shoreline', 'No preview: this is not the address of a page.'],
  ])('neither links nor requests %s', async (url, sentence) => {
    show({ url })
    await isFailed()
    expect(root().querySelector('.pp-link')?.hasAttribute('href')).toBe(false)
    expect(root().querySelector('.pp-description')?.textContent).toBe(sentence)
    expect(service.requests).toEqual([])
  })

  it('keeps the link for an invalid query', async () => {
    show({ ttl: '1s', embed: true })
    await isFailed()
    expect(screen.getByRole('link').getAttribute('href')).toBe(TARGET)
  })

  it.each([
    ['EUNREACHABLE', 502, 'this page could not be reached'],
    ['ETIMEOUT', 504, 'the page took too long to respond'],
    ['EFORBIDDENURL', 403, 'this address is not public'],
    ['ETOMORROW', 400, 'the preview service did not respond'],
    ['EFATAL', 500, 'something went wrong'],
  ])('explains %s to the reader', async (code, status, reason) => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    service.respondWith({ error: { status, code } })
    show()
    await isFailed()
    expect(root().querySelector('.pp-description')?.textContent).toBe(`No preview: ${reason}.`)
  })

  it('fails when the browser is offline instead of pausing', async () => {
    onlineManager.setOnline(false)
    service.respondWith({ error: { status: 500, code: 'EFATAL' } })
    show()
    await isFailed()
  })

  it('shows the link even when the app sets throwOnError', async () => {
    queryClient.setDefaultOptions({ queries: { throwOnError: true } })
    service.respondWith({ error: { status: 500, code: 'EFATAL' } })
    show()
    await isFailed()
    expect(screen.getByRole('link').getAttribute('href')).toBe(TARGET)
  })

  it('keeps the retry button and its focus while it retries, then moves the focus to the link and announces it', async () => {
    service.respondWith({ error: { status: 500, code: 'EFATAL' } })
    show()
    await isFailed()
    const { promise, resolve } = deferred()
    service.respondWith({ after: promise })
    const retry = screen.getByRole('button')
    retry.focus()
    fireEvent.click(retry)
    await waitFor(() => expect(root().getAttribute('aria-busy')).toBe('true'))
    expect(state()).toBe('failed')
    expect(document.activeElement).toBe(retry)
    expect(screen.getByRole('status').textContent).toBe('')
    act(resolve)
    await isReady()
    expect(document.activeElement).toBe(screen.getByRole('link'))
    expect(screen.getByRole('status').textContent).toBe('The preview has loaded.')
  })

  it('announces nothing while a retry waits for a busy service', async () => {
    service.respondWith({ error: { status: 500, code: 'EFATAL' } })
    show()
    await isFailed()
    service.respondWith({ error: { status: 503, code: 'EBUSY', retryAfterS: 60 } })
    fireEvent.click(screen.getByRole('button'))
    await waitFor(() => expect(state()).toBe('loading'))
    expect(screen.getByRole('status').textContent).toBe('')
  })

  it('requests the page again with another key', async () => {
    service.respondWith({ error: { status: 403, code: 'EAUTH' } })
    settings = { apiKey: 'pp_old' }
    const { rerender } = show()
    await isFailed()
    service.respondWith({})
    settings = { apiKey: 'pp_new' }
    rerender(<PagePreview url={TARGET} data-testid="root" />)
    await isReady()
  })

  it('keeps the retry button when the second attempt fails too', async () => {
    service.respondWith({ error: { status: 500, code: 'EFATAL' } })
    show()
    await isFailed()
    service.respondWith({ error: { status: 422, code: 'EELEMENT' } })
    const retry = screen.getByRole('button')
    fireEvent.click(retry)
    await waitFor(() =>
      expect(screen.getByRole('status').textContent).toBe('No preview: this part is not on the page.'),
    )
    expect(screen.getByRole('button')).toBe(retry)
  })

  it.each([
    ['EAUTH', 401],
    ['EFORBIDDENURL', 403],
    ['ETOOLARGE', 422],
    ['EMAXREDIRECTS', 502],
    ['EREMOVED', 410],
  ])('offers no retry after %s, which it cannot help', async (code, status) => {
    service.respondWith({ error: { status, code } })
    show()
    await isFailed()
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('revalidation', () => {
  const old = { cache: 'STALE', timestamp: 1_000 } as const
  const revalidated: PageData = {
    ...page,
    title: 'New title',
    screenshot: { ...screenshot, url: 'https://service.test/images/two.jpg' },
  }

  it('polls until a newer result arrives, and stops', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    service.respondWith(old, old, old, { data: revalidated, cache: 'STALE', timestamp: 2_000 })
    show({ embed: true, screenshot: true, staleTtl: 0 })
    await waitFor(() => expect(state()).toBe('refreshing'))
    expect(root().querySelector('.pp-status')?.textContent).toBe('Updating')
    expect(root().getAttribute('aria-busy')).toBe('true')
    expect(screen.getByRole('img').getAttribute('src')).toContain('embed=true')
    const image = screen.getByRole('img')
    await act(() => vi.advanceTimersByTimeAsync(1_000 + 2_000 + 4_000))
    await isReady()
    expect(screen.getByRole('img')).toBe(image)
    expect(image.getAttribute('src')).toBe('https://service.test/images/two.jpg')
    expect(screen.getByRole('link').textContent).toBe('New title')
    expect(service.requests).toHaveLength(4)
    await act(() => vi.advanceTimersByTimeAsync(3_600_000))
    expect(service.requests).toHaveLength(4)
  })

  it('stops polling after a while and shows the age of the screenshot', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    service.respondWith({ cache: 'STALE', timestamp: Date.now() - 3 * 86_400_000 })
    show({ screenshot: true })
    await act(() => vi.advanceTimersByTimeAsync(120_000))
    expect(state()).toBe('stale')
    expect(root().querySelector('.pp-status')?.textContent).toBe('Saved 3d ago')
    const { length } = service.requests
    expect(length).toBe(8)
    await act(() => vi.advanceTimersByTimeAsync(3_600_000))
    expect(service.requests).toHaveLength(length)
  })

  it('keeps the old screenshot when the service fails meanwhile', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    service.respondWith(old, { error: { status: 500, code: 'EFATAL' } })
    show({ screenshot: true })
    await act(() => vi.advanceTimersByTimeAsync(2_000))
    await waitFor(() => expect(state()).toBe('stale'))
    expect(screen.getByRole('img').getAttribute('src')).toBe(screenshot.url)
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('bypasses the HTTP cache, except for the first request', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const cacheModes: unknown[] = []
    const { fetch } = service
    service.fetch = (input, init) => {
      cacheModes.push(init?.cache)
      return fetch(input, init)
    }
    service.respondWith(old, { timestamp: 2_000 })
    show()
    await act(() => vi.advanceTimersByTimeAsync(1_500))
    expect(cacheModes).toEqual([undefined, 'no-cache'])
  })

  it('refetches at the given interval', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    show({ refreshInterval: 60_000 })
    await act(() => vi.advanceTimersByTimeAsync(180_000))
    expect(service.requests).toHaveLength(4)
  })

  it('calls each handler once, in strict mode too', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const events: string[] = []
    service.respondWith(old, old, { data: revalidated, timestamp: 2_000 })
    render(
      <StrictMode>
        <PagePreview
          url={TARGET}
          data-testid="root"
          onLoad={({ title }) => events.push(`load ${title}`)}
          onRefresh={({ title }) => events.push(`refresh ${title}`)}
          onError={({ code }) => events.push(`error ${code}`)}
        />
      </StrictMode>,
      { wrapper: App },
    )
    await act(() => vi.advanceTimersByTimeAsync(10))
    await act(() => vi.advanceTimersByTimeAsync(4_000))
    await isReady()
    expect(events).toEqual(['load How a tide table is made', 'refresh New title'])
  })

  it.each<[string, Partial<PageData>, string[]]>([
    ['nothing', {}, []],
    ['no part of the screenshot', { screenshot: { ...screenshot } }, []],
    ['another title', { title: 'New title' }, ['title']],
    [
      'a part of a field',
      { screenshot: { ...screenshot, url: 'https://service.test/images/two.jpg' } },
      ['screenshot'],
    ],
    ['fields that come and go', { pages: undefined, lang: 'de' }, ['lang', 'pages']],
    ['only the history', { history: { versions: [], ignored: ['#clock'] } }, []],
  ])('tells onRefresh what has changed: %s', async (_, changes, changed) => {
    const onRefresh = vi.fn<NonNullable<PagePreviewProps['onRefresh']>>()
    // Without it, equal parts of results are the same object.
    queryClient = new QueryClient({ defaultOptions: { queries: { structuralSharing: false } } })
    const data = { ...page, pages: 1 }
    service.respondWith({ data, timestamp: 1_000 }, { data: { ...data, ...changes }, timestamp: 2_000 })
    show({ screenshot: true, refreshInterval: 20, onRefresh })
    await waitFor(() => expect(onRefresh).toHaveBeenCalled())
    expect(onRefresh.mock.calls[0]![1]).toMatchObject({ statusCode: 200, changed })
  })

  it('tells onLoad what else the response contains', async () => {
    const onLoad = vi.fn()
    show({ onLoad })
    await isReady()
    expect(onLoad).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ title: page.title }),
      expect.objectContaining({ statusCode: 200 }),
    )
  })

  it('calls onLoad once when only `refreshInterval` changes', async () => {
    const onLoad = vi.fn()
    const { rerender } = show({ onLoad })
    await isReady()
    rerender(<PagePreview url={TARGET} data-testid="root" onLoad={onLoad} refreshInterval={60_000} />)
    await act(async () => {})
    expect(onLoad).toHaveBeenCalledOnce()
  })

  it('calls onLoad with the data of another filter', async () => {
    const onLoad = vi.fn()
    service.respondWith({ data: { title: 'Tides', author: 'Mara' } })
    const { rerender } = show({ onLoad, query: { filter: 'title' } })
    await isReady()
    rerender(<PagePreview url={TARGET} data-testid="root" onLoad={onLoad} query={{ filter: 'author' }} />)
    await waitFor(() => expect(onLoad).toHaveBeenCalledTimes(2))
    expect(onLoad.mock.calls.map(([data]) => data as unknown)).toEqual([{ title: 'Tides' }, { author: 'Mara' }])
  })

  it('calls onError with the code of the failure', async () => {
    const onError = vi.fn()
    service.respondWith({ error: { status: 403, code: 'EFORBIDDENURL' } })
    show({ onError })
    await isFailed()
    expect(onError.mock.calls.map(([error]) => (error as { code: string }).code)).toEqual(['EFORBIDDENURL'])
  })
})

const noMedia = { type: null, size: null, size_pretty: null, width: null, height: null }
