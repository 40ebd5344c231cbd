// Covers `fetchPreview` of src/react/page-preview-query-options.ts.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { PagePreview, PagePreviewProvider, type PagePreviewProps } from '../../src/react/index.js'
import { fakeService, page, screenshot, TARGET, type FakeResponse, type FakeService } from './fake-service.js'

let queryClient: QueryClient
let service: FakeService

// A module that loads on demand does not arrive with a faked clock.
beforeAll(() => import('../../src/react/parts/failure-parts.js'))
beforeEach(() => {
  queryClient = new QueryClient()
  service = fakeService({})
  vi.useFakeTimers({ shouldAdvanceTime: true })
  // The one timer that is not faked with the others.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const end = new AbortController()
    setTimeout(() => end.abort(new DOMException('Late', 'TimeoutError')), ms)
    return end.signal
  })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const App = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>
    <PagePreviewProvider fetch={(...request) => service.fetch(...request)}>{children}</PagePreviewProvider>
  </QueryClientProvider>
)
const show = (...previews: PagePreviewProps[]) =>
  render(
    previews.map((props) => <PagePreview key={props.url} data-testid={props.url} {...props} />),
    { wrapper: App },
  )
const preview = (url = TARGET) => screen.getByTestId(url)
const isIn = (state: string, url = TARGET) => waitFor(() => expect(preview(url).dataset.status).toBe(state))
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

const RATE_LIMITED: FakeResponse = { error: { status: 429, code: 'ERATE', retryAfterS: 60 } }

describe('a service that has no time for a page yet', () => {
  const busy = (status: number, code: string): FakeResponse => ({ error: { status, code, retryAfterS: 20 } })

  it.each([
    ['refuses it', busy(503, 'EBUSY'), 45_000, 'loading'],
    ['has let it wait for too long', busy(504, 'EBRWSRTIMEOUT'), 45_000, 'failed'],
    ['does not respond', { after: new Promise(() => {}) }, 31_000, 'failed'],
  ])('and %s is requested again automatically', async (_, response, waitedMs, state) => {
    service.respondWith(response)
    show({ url: TARGET })
    await pass(waitedMs)
    await isIn(state)
    service.respondWith({})
    await pass(21_000)
    await isIn('ready')
  })

  it('is not requested again for a page that fails', async () => {
    service.respondWith({ error: { status: 404, code: 'EFATAL' } })
    show({ url: TARGET })
    await isIn('failed')
    await pass(600_000)
    expect(service.requests).toHaveLength(1)
  })
})

describe('a service that has limited the rate', () => {
  it('gets no request from any preview until its limit ends, and then they continue by themselves', async () => {
    service.respondWith(RATE_LIMITED)
    const { rerender } = show({ url: TARGET })
    await isIn('failed')
    service.respondWith({})
    const later = 'https://later.example'
    rerender(
      <>
        <PagePreview key={TARGET} url={TARGET} data-testid={TARGET} />
        <PagePreview key={later} url={later} screenshot embed data-testid={later} />
      </>,
    )
    await isIn('failed', later)
    expect(preview(later).querySelector('.pp-image')).toBeNull()
    await pass(55_000)
    expect(service.requests).toHaveLength(1)
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([TARGET, later])
    await pass(6_000)
    await isIn('ready')
    await isIn('ready', later)
    expect(service.requests).toHaveLength(3)
  })

  it('gets no request from a retry either, while other services do', async () => {
    service.respondWith(RATE_LIMITED)
    show({ url: TARGET })
    const retry = await screen.findByRole('button')
    act(() => retry.click())
    await isIn('failed')
    expect(service.requests).toHaveLength(1)
    service.respondWith({})
    show({ url: 'https://mara.example', endpoint: 'https://other.test' })
    await isIn('ready', 'https://mara.example')
    expect(service.requests.map(({ host }) => host)).toEqual([location.host, 'other.test'])
  })

  it('leaves the old screenshot in place, with its age', async () => {
    service.respondWith({ timestamp: Date.now() - 3 * 86_400_000 }, RATE_LIMITED)
    show({ url: TARGET, screenshot: true, refreshInterval: 10_000 })
    await isIn('ready')
    await pass(10_000)
    await isIn('stale')
    expect(screen.getByRole('img').getAttribute('src')).toBe(screenshot.url)
    await waitFor(() => expect(preview().querySelector('.pp-status')?.textContent).toBe('Saved 3d ago'))
    await pass(50_000)
    expect(service.requests).toHaveLength(2)
    await pass(12_000)
    expect(service.requests).toHaveLength(3)
  })
})

describe('a service that responds 429, then 500, then nothing, then an invalid body, and then recovers', () => {
  const FAULTS: readonly (readonly [fault: string, response: FakeResponse])[] = [
    ['429', RATE_LIMITED],
    ['500', { error: { status: 500, code: 'EFATAL' } }],
    ['no response', { after: new Promise(() => {}) }],
    ['an invalid body', { text: '<h1>Bad gateway</h1>' }],
  ]
  const revalidated = {
    ...page,
    title: 'New title',
    screenshot: { ...screenshot, url: 'https://service.test/images/two.jpg' },
  }

  it('keeps the old screenshot and the link throughout, and shows the new one in the end', async () => {
    show({ url: TARGET, screenshot: true, refreshInterval: 60_000 })
    await isIn('ready')
    const image = screen.getByRole('img')
    for (const [fault, response] of FAULTS) {
      service.respondWith(response)
      const { length } = service.requests
      await pass(120_000)
      expect(service.requests.length, fault).toBeGreaterThan(length)
      expect(['stale', 'refreshing'], fault).toContain(preview().dataset.status)
      expect(image.getAttribute('src'), fault).toBe(screenshot.url)
      expect(screen.getByRole('link').getAttribute('href'), fault).toBe(TARGET)
      expect(screen.queryByRole('button'), fault).toBeNull()
    }
    service.respondWith({ data: revalidated, timestamp: 1_800_000_000_000 })
    await pass(120_000)
    await isIn('ready')
    expect(screen.getByRole('img')).toBe(image)
    expect(image.getAttribute('src')).toBe('https://service.test/images/two.jpg')
    expect(screen.getByRole('link').textContent).toBe('New title')
  })

  it('keeps a working link if there was no screenshot, and shows one in the end', async () => {
    service.respondWith(FAULTS[0]![1])
    show({ url: TARGET, screenshot: true, refreshInterval: 60_000 })
    await isIn('failed')
    for (const [fault, response] of FAULTS) {
      service.respondWith(response)
      await pass(120_000)
      expect(preview().dataset.status, fault).toBe('failed')
      expect(screen.getByRole('link').getAttribute('href'), fault).toBe(TARGET)
    }
    service.respondWith({ data: revalidated })
    await pass(120_000)
    await isIn('ready')
    expect(screen.getByRole('img').getAttribute('src')).toBe('https://service.test/images/two.jpg')
  })
})
