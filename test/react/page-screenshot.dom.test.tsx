import { IsRestoringProvider, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createRef, type ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  pagePreviewQueryOptions,
  PagePreviewProvider,
  PageScreenshot,
  type PageScreenshotProps,
} from '../../src/react/index.js'
import { fakeService, page, screenshot, TARGET, type FakeService } from './fake-service.js'
import { de } from '../../src/react/messages/index.js'
import { failOnConsoleError } from './fail-on-console-error.js'

let queryClient: QueryClient
let service: FakeService

beforeEach(() => {
  queryClient = new QueryClient()
  service = fakeService({})
})
afterEach(() => queryClient.clear())
failOnConsoleError()

const App = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>
    <PagePreviewProvider fetch={(...request) => service.fetch(...request)} endpoint="https://service.test">
      {children}
    </PagePreviewProvider>
  </QueryClientProvider>
)
const show = (props: Partial<PageScreenshotProps> = {}) =>
  render(<PageScreenshot url={TARGET} loading="eager" {...props} />, { wrapper: App })
const image = () => screen.getByRole<HTMLImageElement>('img')
const size = () => [image().getAttribute('width'), image().getAttribute('height')]

it('is an image from the first render, of the size that its screenshot has on the page', async () => {
  show({ className: 'hero', id: 'shot' })
  const first = image()
  expect(first.tagName).toBe('IMG')
  expect([first.className, first.id, first.alt]).toEqual([
    'pp-screenshot hero',
    'shot',
    'Screenshot of shoreline.example',
  ])
  expect(first.getAttribute('src')).toBe(
    `https://service.test/?embed=true&screenshot=true&url=${encodeURIComponent(TARGET)}`,
  )
  expect(size()).toEqual(['1280', '800'])
  await waitFor(() => expect(first.style.backgroundColor).not.toBe(''))
  expect(first.alt).toBe(page.title)
  expect(size()).toEqual(['1280', '800'])
  expect(image()).toBe(first)
  expect(first.getAttribute('src')).toContain('embed=true')
  expect(service.requests).toHaveLength(1)
})

it.each([
  ['a tall page', { width: 2560, height: 6400 }, ['1280', '3200']],
  ['a small element', { width: 640, height: 300 }, ['640', '300']],
])('gets the ratio of the screenshot, and no more than the width that was reserved: %s', (_, pixels, expected) => {
  show({ data: { screenshot: { url: 'https://a.example/i.png', ...pixels } } as never })
  expect(size()).toEqual(expected)
})

it.each([
  ['width', { width: 640 }, ['640', '300']],
  ['height', { height: 150 }, ['320', '150']],
])('completes a %s by the ratio of the screenshot', (_, attributes, expected) => {
  show({ ...attributes, data: { screenshot: { url: 'https://a.example/i.png', width: 1280, height: 600 } } as never })
  expect(size()).toEqual(expected)
})

it('keeps the size that it has reserved when the screenshot has another one', async () => {
  service.respondWith({ data: { ...page, screenshot: { ...screenshot, width: 640, height: 100 } } })
  show({ element: '#main' })
  await waitFor(() => expect(image().style.backgroundColor).not.toBe(''))
  expect(size()).toEqual(['1280', '800'])
})

describe('an element that was shown before', () => {
  const element = { ...page, screenshot: { ...screenshot, width: 640, height: 300 } }

  it('reserves its own ratio when it is shown again', async () => {
    service.respondWith({ data: element })
    const { unmount } = show({ element: '#main' })
    expect(size()).toEqual(['1280', '800'])
    await waitFor(() => expect(image().alt).toBe(page.title))
    unmount()
    show({ element: '#main' })
    expect(size()).toEqual(['640', '300'])
    expect(service.requests).toHaveLength(1)
  })

  it('reserves its own ratio once a stored cache is restored', () => {
    const [query, source] = [{ url: TARGET, element: '#main' }, { endpoint: 'https://service.test' }]
    const restoring = (isRestoring: boolean) => (
      <IsRestoringProvider value={isRestoring}>
        <PageScreenshot {...query} />
      </IsRestoringProvider>
    )
    const { rerender } = render(restoring(true), { wrapper: App })
    expect(size()).toEqual(['1280', '800'])
    const { queryKey } = pagePreviewQueryOptions(query, source)
    queryClient.setQueryData(queryKey, { status: 'success', data: element } as never)
    rerender(restoring(false))
    expect(size()).toEqual(['640', '300'])
  })
})

it('comes in the widths of the service, by its layout width', async () => {
  const { rerender } = show({ loading: 'lazy' })
  expect(image().getAttribute('srcset')).toContain('&variant.width=640&variant.type=webp 640w,')
  expect(image().getAttribute('sizes')).toBe('auto, 100vw')
  rerender(<PageScreenshot url={TARGET} element="#main" sizes="20em" />)
  expect(image().getAttribute('sizes')).toBe('auto, 20em')
  await waitFor(() => expect(service.requests).not.toHaveLength(0))
})

it('keeps the caller’s size and handlers', async () => {
  const onLoad = vi.fn()
  show({ width: 640, height: 400, onLoad, alt: 'The tide tables' })
  await waitFor(() => expect(service.requests).toHaveLength(1))
  expect(size()).toEqual(['640', '400'])
  fireEvent.load(image())
  expect(onLoad).toHaveBeenCalledTimes(1)
  expect(image().alt).toBe('The tide tables')
})

it('is an empty box with the same accessible name when no image can be loaded', async () => {
  service.respondWith({ error: { status: 403, code: 'EFORBIDDENURL' } })
  show({ className: 'hero', width: 640, height: 400 })
  fireEvent.error(image())
  const box = await screen.findByRole('img', { name: 'Screenshot of shoreline.example' })
  expect([box.tagName, box.className, ...size()]).toEqual(['CANVAS', 'pp-screenshot hero', '640', '400'])
})

it('gives its image, and the box in its place, to a ref', async () => {
  const ref = createRef<HTMLElement>()
  const { rerender } = show({ ref })
  const first = image()
  expect(ref.current).toBe(first)
  service.respondWith({ error: { status: 504, code: 'ETIMEOUT' } })
  fireEvent.error(first)
  await waitFor(() => expect(ref.current!.tagName).toBe('CANVAS'))
  rerender(<PageScreenshot url={`${TARGET}/two`} loading="eager" ref={ref} />)
  await waitFor(() => expect(ref.current!.tagName).toBe('IMG'))
  rerender(<p>Nothing</p>)
  expect(ref.current).toBeNull()
})

it('is described in the language of the app', () => {
  queryClient.clear()
  service.respondWith({ after: new Promise(() => {}) })
  render(
    <App>
      <PagePreviewProvider messages={de}>
        <PageScreenshot url={TARGET} />
      </PagePreviewProvider>
    </App>,
  )
  expect(image().alt).toBe(de.screenshot('shoreline.example'))
})

it('takes nothing from the service that it was requested from before', async () => {
  const { rerender } = show()
  await waitFor(() => expect(image().alt).toBe(page.title))
  service.respondWith({ after: new Promise(() => {}) })
  rerender(<PageScreenshot url={TARGET} loading="eager" endpoint="https://other.test" />)
  expect(image().alt).toBe('Screenshot of shoreline.example')
})

it('shows the fallback when there is no image', () => {
  show({ url: 'javascript:alert(1)', fallback: <b>no screenshot</b> })
  expect(screen.getByText('no screenshot')).toBeTruthy()
  expect(screen.queryByRole('img')).toBeNull()
})

it('waits for the response when there is an API key, and never shows the image of another query', async () => {
  const { rerender } = show({ apiKey: 'pp_secret' })
  expect(image().tagName).toBe('CANVAS')
  await waitFor(() => expect(image().getAttribute('src')).toBe(screenshot.url))
  service.respondWith({ after: new Promise(() => {}) })
  rerender(<PageScreenshot url="https://mara.example" apiKey="pp_secret" loading="eager" />)
  expect(image().tagName).toBe('CANVAS')
})

it('shows the caller’s data without a request', () => {
  show({ data: page })
  expect(image().getAttribute('src')).toBe(screenshot.url)
  expect(service.requests).toEqual([])
})
