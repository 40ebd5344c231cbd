// Covers what previews show of pages that did not show their content.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Media, PageData, PageState } from '../../src/query/index.js'
import { PagePreview, PagePreviewProvider, PageScreenshot, type PagePreviewProps } from '../../src/react/index.js'
import { fakeService, page, screenshot, TARGET, type FakeService } from './fake-service.js'

const STATES: PageState[] = ['bot-check', 'blank', 'error-page', 'consent', 'login']
const HOST = 'shoreline.example'
const TITLE = 'Just a moment: access failed'
// In the other states, the title is not that of the page.
const STATES_WITH_TEXTS: PageState[] = ['blank', 'consent']
const altOf = (state: PageState) => (STATES_WITH_TEXTS.includes(state) ? TITLE : `Picture of ${HOST}`)
const image = { url: 'https://example.com/cover.png', type: 'png', width: 400, height: 300 } as Media
const logo = { url: 'https://example.com/icon.png' } as Media
const shown = (state: PageState, data: Partial<PageData> = {}): PageData => ({
  title: TITLE,
  description: 'Checking that you are no robot',
  image,
  logo,
  screenshot: null,
  state,
  ...data,
})

let queryClient: QueryClient
let service: FakeService

beforeEach(() => {
  queryClient = new QueryClient()
  service = fakeService({})
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.useRealTimers()
})

const App = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>
    <PagePreviewProvider fetch={(...request) => service.fetch(...request)} endpoint="https://service.test">
      {children}
    </PagePreviewProvider>
  </QueryClientProvider>
)
const show = (props: Partial<PagePreviewProps> = {}) =>
  render(<PagePreview url={TARGET} data-testid="root" screenshot loading="eager" {...props} />, { wrapper: App })
const root = () => screen.getByTestId('root')
const isReady = () => waitFor(() => expect(root().dataset.status).toBe('ready'))

describe.each(STATES)('a card of a page that shows %s', (state) => {
  it('shows the image of the page, and tells onLoad', async () => {
    service.respondWith({ data: shown(state) })
    const onLoad = vi.fn()
    const onError = vi.fn()
    show({ onLoad, onError, children: 'The essay' })
    await isReady()
    const picture = screen.getByRole<HTMLImageElement>('img', { name: altOf(state) })
    expect(picture.getAttribute('src')).toBe(image.url)
    expect(onLoad).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ state, screenshot: null }),
      expect.objectContaining({ statusCode: 200 }),
    )
    expect(onError).not.toHaveBeenCalled()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('shows the logo if there is no image, embedded or not', async () => {
    service.respondWith({ data: shown(state, { image: null }) })
    for (const embed of [undefined, true] as const) {
      show({ embed })
      await isReady()
      const embedded = screen.queryByRole('img', { name: altOf(state) })
      expect(embedded !== null).toBe(embed === true)
      // The service has nothing to embed.
      if (embedded) fireEvent.error(embedded)
      await waitFor(() => expect(root().querySelector('.pp-fallback img')?.getAttribute('src')).toBe(logo.url))
      cleanup()
    }
  })

  it('does not remove a screenshot that is shown', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    service.respondWith({ data: page, timestamp: 1 }, { data: shown(state), timestamp: 2 })
    show({ refreshInterval: 5_000 })
    await isReady()
    for (const _ of [1, 2, 3]) await act(() => vi.advanceTimersByTimeAsync(5_000))
    expect(service.requests.length).toBeGreaterThan(2)
    expect(screen.getByRole('img').getAttribute('src')).toBe(screenshot.url)
    expect(root().textContent).toContain(page.title)
  })
})

it.each<[PageState, boolean]>([
  ['bot-check', false],
  ['error-page', false],
  ['login', false],
  ['blank', true],
  ['consent', true],
])('a card of a page that shows %s has the texts of the page: %s', async (state, hasTexts) => {
  service.respondWith({ data: shown(state, { title: 'Title', description: 'Text' }) })
  show({ children: 'The essay' })
  await isReady()
  expect(screen.getByRole('link').textContent).toBe(hasTexts ? 'Title' : 'The essay')
  expect(root().textContent).toContain(hasTexts ? 'Text' : `${HOST}/essays/tide-tables`)
})

it.each(STATES)('PageScreenshot of a page that shows %s is its image, else an empty box', async (state) => {
  service.respondWith({ data: shown(state) })
  render(<PageScreenshot url={TARGET} loading="eager" />, { wrapper: App })
  const picture = await screen.findByRole<HTMLImageElement>('img', { name: altOf(state) })
  // The box that was reserved before, so that nothing moves.
  expect([picture.getAttribute('width'), picture.getAttribute('height')]).toEqual(['1280', '800'])
  expect(picture.getAttribute('src')).toContain('embed=true')
  fireEvent.error(picture)
  expect(screen.getByRole('img').getAttribute('src')).toBe(image.url)
  fireEvent.error(screen.getByRole('img'))
  expect(screen.getByRole('img').tagName).toBe('CANVAS')
})
