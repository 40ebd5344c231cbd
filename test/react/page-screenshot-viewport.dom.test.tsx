// Covers a `PageScreenshot` that is far from the viewport, or near it.
import { focusManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { PageScreenshotProps } from '../../src/react/index.js'
import { fakeService, screenshot, TARGET, type FakeService } from './fake-service.js'
import { fakeViewport, type FakeViewport } from './fake-viewport.js'

// The tests of other files share modules with this one, and there is one observer for a whole page.
vi.resetModules()
const { PagePreviewProvider, PageScreenshot } = await import('../../src/react/index.js')

let viewport: FakeViewport
let queryClient: QueryClient
let service: FakeService

beforeAll(() => {
  viewport = fakeViewport((name, value) => vi.stubGlobal(name, value))
})
beforeEach(() => {
  queryClient = new QueryClient()
  service = fakeService({})
})
afterEach(() => {
  focusManager.setFocused(undefined)
  cleanup()
  queryClient.clear()
})
afterAll(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const show = (props: Partial<PageScreenshotProps> = {}) =>
  render(
    <QueryClientProvider client={queryClient}>
      <PagePreviewProvider endpoint="https://service.test" fetch={service.fetch}>
        <PageScreenshot url={TARGET} loading="lazy" {...props} />
      </PagePreviewProvider>
    </QueryClientProvider>,
  )
const image = () => screen.getByRole<HTMLImageElement>('img')
const observed = () => [...viewport.observedElements].map(({ tagName }) => tagName)

it('observes what takes the place of a broken image, so that it goes on to refresh', async () => {
  show()
  await waitFor(() => expect(observed()).toEqual(['IMG']))
  fireEvent.error(image())
  expect(observed()).toEqual(['CANVAS'])
  viewport.move(image(), true)
  await waitFor(() => expect(observed()).toEqual(['IMG']))
  expect(service.requests).toHaveLength(1)
})

it('waits until it is near the viewport, also for the response to a request with an API key', async () => {
  show({ apiKey: 'pp_secret' })
  await waitFor(() => expect(observed()).toEqual(['CANVAS']))
  expect(service.requests).toEqual([])
  viewport.move(image(), true)
  await waitFor(() => expect(image().getAttribute('src')).toBe(screenshot.url))
})

it('shows the fallback once it is known that there is no image, and requests nothing before it is near the viewport', async () => {
  service.respondWith({ error: { status: 404, code: 'ENOEMBED' } })
  show({ embed: false, fallback: <b>no screenshot</b> })
  await waitFor(() => expect(observed()).toEqual(['CANVAS']))
  expect(service.requests).toEqual([])
  expect(screen.queryByText('no screenshot')).toBeNull()
  viewport.move(image(), true)
  await waitFor(() => expect(screen.getByText('no screenshot')).toBeTruthy())
  expect(service.requests).toHaveLength(1)
  // Nothing is left whose position could be known.
  expect(observed()).toEqual([])
  act(() => {
    focusManager.setFocused(false)
    focusManager.setFocused(true)
  })
  await waitFor(() => expect(service.requests).toHaveLength(2))
})
