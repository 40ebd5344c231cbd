import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { userEvent } from 'vitest/browser'
import { PagePreview, PagePreviewProvider, type PagePreviewProps } from '../../src/react/index.js'
import '../../src/react/styles.css'
import { deferred, fakeService, page, screenshot, TARGET, type FakeResponse, type FakeService } from './fake-service.js'
import { painted, observeLayoutShifts } from './layout-shifts.js'
import newImage from './images/new.png?url'
import oldImage from './images/old.png?url'

const oldPage = { ...page, screenshot: { ...screenshot, url: `${oldImage}?one`, width: 1280, height: 800 } }
const newPage = { ...page, title: 'New title', screenshot: { ...oldPage.screenshot, url: `${newImage}?two` } }
const old: FakeResponse = { data: oldPage, cache: 'STALE', timestamp: 1_000 }
const revalidated: FakeResponse = { data: newPage, cache: 'STALE', timestamp: 2_000 }

let service: FakeService
let queryClient: QueryClient

beforeEach(() => {
  queryClient = new QueryClient()
  service = fakeService({ data: oldPage })
})
afterEach(async () => {
  await cleanup()
  queryClient.clear()
  document.body.replaceChildren()
})

const app = (props: Partial<PagePreviewProps>) => (
  <QueryClientProvider client={queryClient}>
    <PagePreviewProvider fetch={service.fetch}>
      <main style={{ inlineSize: 311, font: '16px/1.6 sans-serif' }}>
        <PagePreview url={TARGET} loading="eager" {...props} />
        <p id="below">Below</p>
      </main>
    </PagePreviewProvider>
  </QueryClientProvider>
)
const element = (selector: string) => document.querySelector<HTMLElement>(selector)!
const root = () => element('.page-preview')
const image = () => document.querySelector<HTMLImageElement>('img.pp-image')!
const until = (check: () => void) => vi.waitFor(check, { timeout: 15_000, interval: 10 })
const untilState = (state: string) => until(() => expect(root().dataset.status).toBe(state))
const untilImageShown = () =>
  until(() => {
    expect(image().complete && image().naturalWidth).toBeTruthy()
    expect(image().hasAttribute('data-pending')).toBe(false)
  })

/** Inserts server markup and hydrates it once it has settled. @returns Unmounts, and checks that React logged no errors. */
async function hydrate(markup: ReactElement, isSettled: () => void) {
  const errors = vi.spyOn(console, 'error')
  const container = document.createElement('div')
  container.innerHTML = renderToString(markup)
  document.body.append(container)
  await until(isSettled)
  const reactRoot = hydrateRoot(container, markup)
  return () => {
    expect(errors).not.toHaveBeenCalled()
    errors.mockRestore()
    reactRoot.unmount()
  }
}

it.each([{ priority: true }, { loading: 'eager' }] as const)(
  'a preview with %o requests its page before the first paint',
  async (props) => {
    const container = document.body.appendChild(document.createElement('div'))
    const committed = new Promise((resolve) => new MutationObserver(resolve).observe(container, { childList: true }))
    const reactRoot = createRoot(container)
    reactRoot.render(app({ loading: undefined, ...props }))
    await committed
    // One turn of the event loop, which is as soon as a browser can paint.
    const { port1, port2 } = new MessageChannel()
    await new Promise((resolve) => {
      port1.addEventListener('message', resolve)
      port1.start()
      port2.postMessage(undefined)
    })
    expect(service.requests).toHaveLength(1)
    reactRoot.unmount()
  },
)

describe('the states of a preview', () => {
  it.each(['card', 'row', 'image'] as const)('have the same height in the layout %s', async (layout) => {
    const { promise, resolve } = deferred()
    service.respondWith({ data: oldPage, after: promise })
    await render(app({ layout, screenshot: true }))
    await painted()
    const loading = root().getBoundingClientRect()
    resolve()
    await untilState('ready')
    await untilImageShown()
    const ready = root().getBoundingClientRect()
    await cleanup()
    service.respondWith({ error: { status: 403, code: 'EFORBIDDENURL' } })
    await render(app({ layout, url: 'https://mara.example' }))
    await untilState('failed')
    const failed = root().getBoundingClientRect()
    expect([ready.height, failed.height]).toEqual([loading.height, loading.height])
    expect(loading.height).toBeGreaterThan(80)
  })

  it('sets width and height of the image to its own pixels', async () => {
    await render(app({ screenshot: true }))
    await untilState('ready')
    await untilImageShown()
    const { width, height, naturalWidth, naturalHeight, alt, loading, decoding } = image()
    expect([image().getAttribute('width'), image().getAttribute('height')]).toEqual(['1280', '800'])
    expect([naturalWidth, naturalHeight]).toEqual([1280, 800])
    expect(width / height).toBeCloseTo(1.6, 1)
    expect({ alt, loading, decoding }).toEqual({
      alt: page.title,
      loading: 'eager',
      decoding: 'async',
    })
  })

  it('shows the fallback when the image cannot be loaded', async () => {
    service.respondWith({ data: { ...page, screenshot: { ...screenshot, url: '/nothing-here.png' } } })
    await render(app({ screenshot: true }))
    await until(() => expect(element('.pp-fallback').textContent).toBe('S'))
  })

  it('shows the description in the space of a missing image, in a card as high as others', async () => {
    await render(app({ screenshot: true }))
    await untilState('ready')
    const { height } = root().getBoundingClientRect()
    await cleanup()
    service.respondWith({ data: { ...page, screenshot: null, image: null, logo: null } })
    const shifts = observeLayoutShifts()
    await render(app({ screenshot: true, url: 'https://mara.example' }))
    await untilState('ready')
    const [description, media] = ['.pp-description', '.pp-media'].map((part) => element(part).getBoundingClientRect())
    expect(description!.top).toBeGreaterThan(element('.pp-fallback').getBoundingClientRect().bottom)
    expect(description!.bottom).toBeLessThan(media!.bottom)
    expect(root().getBoundingClientRect().height).toBeCloseTo(height, 0)
    expect(shifts.total()).toBe(0)
    shifts.stop()
  })

  it('moves the focus from the retry button to the link', async () => {
    service.respondWith({ error: { status: 504, code: 'ETIMEOUT' } })
    await render(app({ screenshot: true }))
    await untilState('failed')
    const { promise, resolve } = deferred()
    service.respondWith({ data: oldPage, after: promise })
    await until(() => expect(element('.pp-retry')).not.toBeNull())
    await userEvent.tab()
    await userEvent.tab()
    expect(document.activeElement).toBe(element('.pp-retry'))
    await userEvent.keyboard('{Enter}')
    await until(() => expect(root().getAttribute('aria-busy')).toBe('true'))
    expect(document.activeElement).toBe(element('.pp-retry'))
    resolve()
    await untilState('ready')
    expect(document.activeElement).toBe(element('.pp-link'))
  })

  it('does not move the focus once it has left the retry button', async () => {
    service.respondWith({ error: { status: 504, code: 'ETIMEOUT' } })
    await render(app({ screenshot: true, tabIndex: 0 }))
    await untilState('failed')
    const { promise, resolve } = deferred()
    service.respondWith({ data: oldPage, after: promise })
    await until(() => expect(element('.pp-retry')).not.toBeNull())
    element('.pp-retry').focus()
    await userEvent.keyboard('{Enter}')
    root().focus()
    resolve()
    await untilState('ready')
    await painted()
    expect(document.activeElement).toBe(root())
  })
})

describe('a stale screenshot', () => {
  it('causes no layout shift from the first paint to the revalidated screenshot', async () => {
    const first = deferred()
    const second = deferred()
    service.respondWith({ ...old, after: first.promise }, { ...revalidated, after: second.promise })
    await render(app({ screenshot: true }))
    await painted()
    const shifts = observeLayoutShifts()
    first.resolve()
    await untilState('refreshing')
    await untilImageShown()
    await painted()
    second.resolve()
    await until(() => expect(image().src).toContain(newImage))
    await untilState('ready')
    await painted()
    expect(shifts.total()).toBe(0)
    // The observer itself works: it reports a shift.
    element('#below').style.marginBlockStart = '300px'
    await until(() => expect(shifts.total()).toBeGreaterThan(0))
    shifts.stop()
  })

  it('is swapped for a decoded one in the same element, without an empty frame', async () => {
    const states: string[] = []
    service.respondWith(old, revalidated)
    const onRefresh = vi.fn<(page: { title?: string | null }) => void>()
    await render(app({ screenshot: true, onRefresh }))
    await untilState('refreshing')
    await untilImageShown()
    const before = image()
    let isWatching = true
    const watch = () => {
      if (!isWatching) return
      const { complete, naturalWidth } = image()
      states.push(`${root().dataset.status} ${complete && naturalWidth > 0 && !image().hasAttribute('data-pending')}`)
      requestAnimationFrame(watch)
    }
    watch()
    await until(() => expect(image().src).toContain(newImage))
    await untilState('ready')
    await painted()
    isWatching = false
    expect(image()).toBe(before)
    expect(new Set(states)).toEqual(new Set(['refreshing true', 'ready true']))
    expect(onRefresh.mock.calls.map(([{ title }]) => title)).toEqual(['New title'])
  })

  it('stays when the revalidated one cannot be decoded', async () => {
    const broken = { ...newPage, screenshot: { ...newPage.screenshot, url: '/nothing-here.png' } }
    service.respondWith(old, { data: broken, timestamp: 2_000 })
    await render(app({ screenshot: true }))
    await untilState('stale')
    expect(image().src).toContain(oldImage)
    expect(element('.pp-title').textContent).toBe(oldPage.title)
  })
})

describe('an embedded screenshot', () => {
  it('is shown before the first response', async () => {
    const { promise, resolve } = deferred()
    service.respondWith({ data: oldPage, after: promise })
    await render(app({ embed: true, screenshot: true, endpoint: oldImage }))
    await untilImageShown()
    expect(root().dataset.status).toBe('loading')
    expect(image().naturalWidth).toBeGreaterThan(0)
    const before = image()
    resolve()
    await untilState('ready')
    expect(image()).toBe(before)
    expect(image().src).toContain('embed=true')
    expect(image().hasAttribute('data-pending')).toBe(false)
  })

  it('is replaced in place without a layout shift', async () => {
    const second = deferred()
    service.respondWith(old, { ...revalidated, after: second.promise })
    await render(app({ embed: true, screenshot: true, staleTtl: 0, endpoint: oldImage }))
    await painted()
    const shifts = observeLayoutShifts()
    await untilImageShown()
    await untilState('refreshing')
    const before = image()
    expect(before.src).toContain('embed=true')
    second.resolve()
    await until(() => expect(image().src).toContain(`${newImage}?two`))
    await untilState('ready')
    await painted()
    expect(image()).toBe(before)
    expect(shifts.total()).toBe(0)
    shifts.stop()
  })
})

describe.each(['image', 'logo'] as const)('an embedded %s', (field) => {
  it('is decoded as the service delivers it, not from the other site', async () => {
    const pageWith = (file: string) => ({ ...page, screenshot: undefined, image: { url: file }, logo: { url: file } })
    service.respondWith(
      { data: pageWith('/nothing-here/one.png'), cache: 'STALE', timestamp: 1_000 },
      { data: pageWith('/nothing-here/two.png'), cache: 'STALE', timestamp: 2_000 },
    )
    await render(app({ embed: field, staleTtl: 0, endpoint: oldImage }))
    await untilImageShown()
    await until(() => expect(image().src).toContain('&revalidated=2000'))
    await untilState('ready')
    await untilImageShown()
  })
})

describe('hydration', () => {
  it('hydrates the server-rendered markup without a warning', async () => {
    const markup = app({ embed: true, screenshot: true, endpoint: oldImage })
    const finish = await hydrate(markup, () => expect(image().hasAttribute('data-pending')).toBe(false))
    const before = image()
    await untilState('ready')
    await untilImageShown()
    expect(image()).toBe(before)
    finish()
  })

  it('handles an image that failed to load before hydration', async () => {
    const data = { ...page, screenshot: { ...screenshot, url: '/nothing-here.png' } }
    const finish = await hydrate(app({ data }), () => expect(image().complete).toBe(true))
    await until(() => expect(element('.pp-fallback').textContent).toBe('S'))
    finish()
  })
})
