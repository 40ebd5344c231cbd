import { focusManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { version, type ReactNode } from 'react'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { UsePagePreviewOptions } from '../../src/react/index.js'
import { fakeViewport, type FakeViewport } from './fake-viewport.js'
import { fakeService, TARGET, type FakeService } from './fake-service.js'

// The tests of other files share modules with this one, and there is one observer for a whole page.
vi.resetModules()
const { PagePreview, PagePreviewProvider, usePagePreview } = await import('../../src/react/index.js')

let place: FakeViewport
let queryClient: QueryClient
let service: FakeService

// Once for all tests, as there is one observer.
beforeAll(() => {
  place = fakeViewport(vi.stubGlobal)
})
beforeEach(() => {
  queryClient = new QueryClient()
  service = fakeService({})
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  focusManager.setFocused(undefined)
  vi.useRealTimers()
})
afterAll(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

function Own(props: UsePagePreviewOptions) {
  const [ref, preview] = usePagePreview(props)
  const { displayUrl, status } = preview
  return (
    <p ref={ref} data-testid={props.url} data-status={status}>
      <a href={displayUrl.href}>{preview.page?.title ?? displayUrl.text}</a>
    </p>
  )
}
const App = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>
    <PagePreviewProvider fetch={service.fetch}>{children}</PagePreviewProvider>
  </QueryClientProvider>
)
const show = (...previews: UsePagePreviewOptions[]) =>
  render(
    <App>
      {previews.map((props) => (
        <Own key={props.url} {...props} />
      ))}
    </App>,
  )
const preview = (url = TARGET) => screen.getByTestId(url)
const isReady = (url = TARGET) => waitFor(() => expect(preview(url).dataset.status).toBe('ready'))

it('runs with the version of React that its project is for', ({ task }) => {
  expect(version).toMatch(task.file.projectName === 'react-18' ? /^18\./ : /^19\./)
})

it('fetches when a preview comes near the viewport, and not before', async () => {
  show({ url: TARGET }, { url: 'https://far.example' })
  expect(screen.getAllByRole('link')).toHaveLength(2)
  place.move(preview('https://far.example'), false)
  place.move(preview(), true)
  await isReady()
  expect(service.requests.map(({ searchParams }) => searchParams.get('url'))).toEqual([TARGET])
  expect(place.observers).toEqual([{ rootMargin: '600px' }])
})

it('stops observing unmounted elements', () => {
  const { unmount } = show({ url: TARGET }, { url: 'https://far.example' })
  expect(place.observedElements.size).toBe(2)
  unmount()
  expect(place.observedElements.size).toBe(0)
})

it.each([{ loading: 'eager' }, { priority: true }] as const)(
  'fetches on mount with %o, far from the viewport too',
  async (props) => {
    show({ url: TARGET, ...props })
    await isReady()
  },
)

it('renders an eager preview a few times only when its ref is attached with each render', async () => {
  let renders = 0
  function WithInlineRef() {
    renders++
    const [ref, { status }] = usePagePreview({ url: TARGET, loading: 'eager' })
    return <p ref={(element) => ref(element)} data-testid={TARGET} data-status={status} />
  }
  render(<WithInlineRef />, { wrapper: App })
  await isReady()
  for (let report = 0; report < 30; report++) place.move(preview(), false)
  expect(renders).toBeLessThan(15)
})

it('tells a hook and a component that share an element', async () => {
  function Shared() {
    const [ref, { status }] = usePagePreview({ url: TARGET })
    return <PagePreview url={TARGET} ref={ref} data-testid={TARGET} title={status} />
  }
  const { unmount } = render(<Shared />, { wrapper: App })
  place.move(preview(), true)
  await isReady()
  expect(preview().title).toBe('ready')
  unmount()
  expect(place.observedElements.size).toBe(0)
})

it('keeps the result of a preview that is far from the viewport', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  queryClient.setQueryData(['page-preview', 1, '/page-preview', `url=${encodeURIComponent(TARGET)}`], {
    data: { title: 'Cached' },
    cache: { ttlMs: 24 * 3_600_000 },
  })
  show({ url: TARGET })
  await act(() => vi.advanceTimersByTimeAsync(3_600_000))
  place.move(preview(), true)
  expect(preview().dataset.status).toBe('ready')
  expect(service.requests).toEqual([])
})

it('shows a cached result far from the viewport', () => {
  queryClient.setQueryData(['page-preview', 1, '/page-preview', `url=${encodeURIComponent(TARGET)}`], {
    data: { title: 'Cached' },
    cache: {},
  })
  show({ url: TARGET })
  expect(screen.getByRole('link').textContent).toBe('Cached')
  expect(service.requests).toEqual([])
})

it.each([{}, { loading: 'eager' } as const])(
  'refetches neither at an interval nor on focus far from the viewport, and does so near it again, with %o',
  async (props) => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    show({ url: TARGET, refreshInterval: 60_000, staleTtl: 0, ...props })
    place.move(preview(), true)
    await isReady()
    place.move(preview(), false)
    await act(() => vi.advanceTimersByTimeAsync(300_000))
    act(() => focusManager.setFocused(true))
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    expect(service.requests).toHaveLength(1)
    place.move(preview(), true)
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    expect(service.requests.length).toBeGreaterThan(1)
  },
)

it('refetches at an interval while it is near the viewport and the window has the focus', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  show({ url: TARGET, refreshInterval: 60_000 })
  place.move(preview(), true)
  await isReady()
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(service.requests).toHaveLength(2)
  act(() => focusManager.setFocused(false))
  await act(() => vi.advanceTimersByTimeAsync(300_000))
  expect(service.requests).toHaveLength(2)
})

it('refetches on focus only when the result is stale', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  show({ url: TARGET })
  place.move(preview(), true)
  await isReady()
  const lookAway = () => act(() => (focusManager.setFocused(false), focusManager.setFocused(true)))
  lookAway()
  expect(service.requests).toHaveLength(1)
  await act(() => vi.advanceTimersByTimeAsync(24 * 3_600_000))
  lookAway()
  await waitFor(() => expect(service.requests).toHaveLength(2))
})
