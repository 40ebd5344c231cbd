// Covers what a `PagePreview` shows in each layout and state.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  HoverPreview,
  PagePreview,
  PagePreviewProvider,
  type AppSettings,
  type PagePreviewProps,
} from '../../src/react/index.js'
import { ar, de } from '../../src/react/messages/index.js'
import { fakeService, page, screenshot, TARGET, type FakeService } from './fake-service.js'
import { failOnConsoleError } from './fail-on-console-error.js'

let queryClient: QueryClient
let service: FakeService

beforeEach(() => {
  queryClient = new QueryClient()
  service = fakeService({})
})
afterEach(() => {
  settings = {}
  queryClient.clear()
})
failOnConsoleError()

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
  render(<PagePreview url={TARGET} data-testid="root" loading="eager" {...props} />, { wrapper: App })
const root = () => screen.getByTestId('root')
const find = (selector: string) => root().querySelector<HTMLElement>(selector)
const isReady = () => waitFor(() => expect(root().dataset.status).toBe('ready'))
const stored = { ...screenshot, url: `https://service.test/images/${'a1'.repeat(32)}.jpg` }

describe('parts', () => {
  it('include a placeholder while loading, and a fallback without an image', async () => {
    service.respondWith({ after: new Promise(() => {}) })
    const { unmount } = show({ placeholder: <i>soon</i>, fallback: <i>nothing</i> })
    expect(find('.pp-media')?.textContent).toBe('soon')
    unmount()
    queryClient.clear()
    service.respondWith({ data: { title: 'Tides' } })
    show({ placeholder: <i>soon</i>, fallback: <i>nothing</i> })
    await isReady()
    expect(find('.pp-media')?.textContent).toBe('nothing')
  })
})

describe('images', () => {
  const image = () => screen.getByRole('img')

  it('have a srcset of the service’s smaller widths, as WebP', async () => {
    service.respondWith({ data: { ...page, screenshot: { ...stored, width: 1280, height: 800 } } })
    show({ screenshot: true, loading: 'lazy' })
    await isReady()
    const widths = [320, 640, 960].map((width) => `${stored.url}?w=${width}&type=webp ${width}w`)
    expect(image().getAttribute('srcset')).toBe([...widths, `${stored.url}?type=webp 1280w`].join())
    expect(image().getAttribute('sizes')).toMatch(/^auto, /)
    expect(image().getAttribute('src')).toBe(stored.url)
  })

  it('from other hosts have no srcset', async () => {
    service.respondWith({ data: { ...page, screenshot: { ...screenshot, url: 'https://elsewhere.test/cover.jpg' } } })
    show({ screenshot: true })
    await isReady()
    expect(image().hasAttribute('srcset') || image().hasAttribute('sizes')).toBe(false)
  })

  it('that are embedded have a srcset from the first render, which the response does not change', async () => {
    service.respondWith({ data: { ...page, screenshot: { ...stored, width: 800, height: 500 } } })
    show({ screenshot: true, embed: true })
    const [srcset, sizes] = [image().getAttribute('srcset'), image().getAttribute('sizes')]
    expect(srcset).toContain('&variant.width=640&variant.type=webp 640w,')
    await isReady()
    expect([image().getAttribute('srcset'), image().getAttribute('sizes')]).toEqual([srcset, sizes])
  })

  it('that take the place of a broken one have no variants of it', async () => {
    show({ screenshot: true, embed: true })
    await isReady()
    fireEvent.error(image())
    expect(image().getAttribute('src')).toBe(screenshot.url)
    expect(image().hasAttribute('srcset')).toBe(false)
  })

  it('are shown without variants if one of these is broken, and only then given up', async () => {
    service.respondWith({ data: { ...page, screenshot: { ...stored, width: 1280, height: 800 } } })
    show({ screenshot: true })
    await isReady()
    expect(image().hasAttribute('srcset')).toBe(true)
    fireEvent.error(image())
    expect(image().getAttribute('src')).toBe(stored.url)
    expect(image().hasAttribute('srcset')).toBe(false)
    fireEvent.error(image())
    expect(find('.pp-image')).toBeNull()
  })

  it('with priority are downloaded eagerly and first', async () => {
    show({ screenshot: true, priority: true, loading: 'lazy' })
    await isReady()
    expect(image().getAttribute('loading')).toBe('eager')
    expect(image().getAttribute('fetchpriority')).toBe('high')
  })

  it.each(['image', 'logo'] as const)('embedded as %s get another URL when they are revalidated', async (field) => {
    const media = {
      url: 'https://a.example/cover.png',
      type: 'png',
      size: 10,
      size_pretty: '10 B',
      width: 64,
      height: 64,
    }
    service.respondWith({ data: { title: 'Tides', [field]: media }, timestamp: 1_000 })
    show({ embed: field })
    await isReady()
    const first = find('.pp-image')!.getAttribute('src')!
    expect(first).toContain(`embed=${field}`)
    service.respondWith({ data: { title: 'Tides', [field]: { ...media, size: 11 } }, timestamp: 2_000 })
    await queryClient.refetchQueries()
    await waitFor(() => expect(find('.pp-image')!.getAttribute('src')).toBe(`${first}&revalidated=2000`))
  })
})

describe('media', () => {
  const media = {
    url: 'https://a.example/58.mp3',
    type: 'mp3',
    size: null,
    size_pretty: null,
    width: null,
    height: null,
  }

  it('is downloaded only when the reader presses play', async () => {
    service.respondWith({ data: { ...page, audio: { ...media, duration: 2_530, duration_pretty: '42:10' } } })
    show({ screenshot: true })
    const button = await screen.findByRole('button', { name: 'Play audio 42:10' })
    expect(button.textContent).toBe('42:10')
    expect(root().querySelector('audio')).toBeNull()
    fireEvent.click(button)
    const player = root().querySelector('audio')!
    expect([player.src, player.controls]).toEqual([media.url, true])
    fireEvent.error(player)
    expect(root().querySelector('audio')).toBeNull()
  })

  it('is the video when there are audio and video', async () => {
    service.respondWith({ data: { ...page, audio: media, video: { ...media, url: 'https://a.example/58.mp4' } } })
    show({ screenshot: true })
    fireEvent.click(await screen.findByRole('button', { name: 'Play video' }))
    expect(root().querySelector('video')!.src).toBe('https://a.example/58.mp4')
  })

  it('goes on while it plays and a newer result names it by another URL', async () => {
    const video = (token: string) => ({ ...page, video: { ...media, url: `https://a.example/58.mp4?token=${token}` } })
    service.respondWith({ data: video('1') }, { data: { ...video('2'), title: 'New title' } })
    show({ screenshot: true })
    fireEvent.click(await screen.findByRole('button', { name: 'Play video' }))
    await queryClient.refetchQueries()
    await screen.findByText('New title')
    expect(root().querySelector('video')!.src).toBe('https://a.example/58.mp4?token=1')
  })
})

describe('messages', () => {
  it('can be German, with German numbers', async () => {
    settings = { messages: de }
    service.respondWith({ data: { ...page, title: null, screenshot } })
    show({ screenshot: true })
    await isReady()
    expect(screen.getByRole('img').getAttribute('alt')).toBe('Bildschirmfoto von shoreline.example')
    expect(find('.pp-image-details')!.textContent).toBe('2560 × 1600JPG53,3 kB')
  })

  it('set the direction for Arabic', async () => {
    service.respondWith({ error: { status: 422, code: 'EELEMENT' } })
    settings = { messages: ar }
    show()
    await screen.findByRole('button', { name: ar.retry })
    expect(root().dir).toBe('rtl')
    expect(find('.pp-description')!.textContent).toBe(ar.failed(ar.reasons.EELEMENT!))
  })

  it('can be combined with another locale for numbers', async () => {
    settings = { locale: 'fr' }
    service.respondWith({ data: { ...page, title: null, screenshot } })
    show({ screenshot: true })
    await isReady()
    expect(find('.pp-image-details')!.textContent).toMatch(/53,3\sko$/)
    expect(screen.getByRole('img').getAttribute('alt')).toBe('Screenshot of shoreline.example')
  })
})

it('a hover preview sends no request before it is hovered', async () => {
  render(<HoverPreview url={TARGET} target="_blank" data-testid="root" />, { wrapper: App })
  expect(screen.getByRole<HTMLAnchorElement>('link').target).toBe('_blank')
  expect(service.requests).toEqual([])
  vi.stubGlobal('CSS', { supports: () => true })
  const anchor = screen.getByRole('link').parentElement!
  await waitFor(
    () => {
      // Until the code that observes the link has loaded.
      fireEvent.pointerOver(anchor)
      return root()
    },
    { interval: 200 },
  )
  await isReady()
  expect(root().closest('[popover=manual][aria-hidden=true]')).not.toBeNull()
  expect(screen.getByRole('link').textContent).toBe('shoreline.example/essays/tide-tables')
  vi.unstubAllGlobals()
})
