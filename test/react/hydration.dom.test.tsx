// Covers the markup of a server, which the components take over.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render } from '@testing-library/react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { useEffect, useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  PagePreview,
  PagePreviewProvider,
  pagePreviewQueryOptions,
  type PagePreviewProps,
} from '../../src/react/index.js'
import { HydratedPreview, type ServerResult } from '../../src/react/hydrated-preview.js'
import { fakeService, page, screenshot, TARGET } from './fake-service.js'

const data = { ...page, screenshot }
const service = fakeService({ data })
let root: Root | undefined
let recovered: unknown[]

beforeEach(() => {
  recovered = []
  vi.spyOn(console, 'error')
})
afterEach(() => {
  cleanup()
  root?.unmount()
  document.body.replaceChildren()
  expect(console.error).not.toHaveBeenCalled()
  vi.restoreAllMocks()
})

/** Inserts server markup, and hydrates it with an app that changes its props at once. */
function hydrateAndChange(initial: Partial<PagePreviewProps>, queryClient = new QueryClient(), changed = {}) {
  function App() {
    const [props, change] = useState(initial)
    useEffect(() => {
      queueMicrotask(() => change((before) => ({ ...before, ...changed })))
    }, [])
    return (
      <QueryClientProvider client={queryClient}>
        <PagePreviewProvider fetch={service.fetch}>
          <PagePreview url={TARGET} screenshot {...props} />
        </PagePreviewProvider>
      </QueryClientProvider>
    )
  }
  const container = document.createElement('div')
  container.innerHTML = renderToString(<App />)
  document.body.append(container)
  const before = { card: container.querySelector('.page-preview'), image: container.querySelector('img') }
  root = hydrateRoot(container, <App />, { onRecoverableError: (error) => recovered.push(error) })
  return { ...before, container }
}

it('keeps the server’s elements when props change during hydration', async () => {
  const { card, image, container } = hydrateAndChange({ data }, new QueryClient(), { theme: 'dark' })
  expect(image).not.toBeNull()
  await vi.waitFor(() => expect(container.querySelector<HTMLElement>('.page-preview')!.dataset.theme).toBe('dark'))
  expect(container.querySelector('.page-preview')).toBe(card)
  expect(container.querySelector('img')).toBe(image)
  expect(recovered).toEqual([])
})

it.each<Partial<PagePreviewProps>>([{}, { embed: true }, { loading: 'eager' }])(
  'takes over the server’s markup with %o when another root has fetched the same page without a QueryClient',
  async (props) => {
    const app = (
      <PagePreviewProvider fetch={service.fetch}>
        <PagePreview url={TARGET} screenshot {...props} />
      </PagePreviewProvider>
    )
    const markup = renderToString(app)
    const { container: first } = render(app)
    await vi.waitFor(() => expect(first.textContent).toContain(page.title))
    const container = document.body.appendChild(document.createElement('div'))
    container.innerHTML = markup
    root = hydrateRoot(container, app, { onRecoverableError: (error) => recovered.push(error) })
    await vi.waitFor(() => expect(container.textContent).toContain(page.title))
    expect(recovered).toEqual([])
  },
)

it('replaces an icon that could not be loaded before hydration by a letter', async () => {
  const broken = { ...data, image: null, screenshot: null, logo: { url: 'https://shoreline.example/none.ico' } }
  const complete = vi.spyOn(HTMLImageElement.prototype, 'complete', 'get').mockReturnValue(true)
  const { container } = hydrateAndChange({ data: broken })
  await vi.waitFor(() => expect(container.querySelector('.pp-icon')!.textContent).toBe('S'))
  expect(container.querySelector('.pp-fallback')!.textContent).toBe('S')
  complete.mockRestore()
  expect(recovered).toEqual([])
})

it('keeps the embedded image with its variants', async () => {
  const { image, container } = hydrateAndChange({ embed: true, endpoint: 'https://service.test' })
  expect(image!.srcset).toContain('&variant.width=640&variant.type=webp 640w,')
  await vi.waitFor(() => expect(container.querySelector('.pp-title')?.textContent).toBe(page.title))
  expect(container.querySelector('img')).toBe(image)
  expect(recovered).toEqual([])
})

it('hydrates with a result that the server has fetched', async () => {
  const queryClient = new QueryClient()
  await queryClient.fetchQuery(pagePreviewQueryOptions({ url: TARGET, screenshot: true }, { fetch: service.fetch }))
  const { card, container } = hydrateAndChange({}, queryClient)
  await vi.waitFor(() => expect(container.querySelector('.pp-title')?.textContent).toBe(page.title))
  await vi.waitFor(() => expect(card!.getAttribute('style')).toContain('--pp-media-background'))
  expect(container.querySelector('.page-preview')).toBe(card)
  expect(recovered).toEqual([])
})

it.each([
  ['of the app', true],
  ['of the provider', false],
])(
  'shows each result of the server in the QueryClient %s, also after a navigation to another page',
  async (_, isOfApp) => {
    const queryClient = new QueryClient()
    const own = fakeService({ data })
    const resultOf = async (url: string, title: string) => {
      const options = pagePreviewQueryOptions({ url }, { fetch: fakeService({ data: { ...page, title } }).fetch })
      const result = await new QueryClient().fetchQuery(options)
      return { result, receivedAt: Date.now(), cacheKey: options.queryKey[3] }
    }
    const results: Record<string, ServerResult> = {
      [TARGET]: await resultOf(TARGET, 'One'),
      [`${TARGET}/two`]: await resultOf(`${TARGET}/two`, 'Two'),
    }
    const appOf = (url: string) => (
      <QueryClientProvider client={isOfApp ? queryClient : new QueryClient()}>
        <PagePreviewProvider fetch={own.fetch} {...(!isOfApp && { queryClient })}>
          <HydratedPreview url={url} serverResult={results[url]} />
        </PagePreviewProvider>
      </QueryClientProvider>
    )
    const { container, rerender } = render(appOf(TARGET))
    const title = () => container.querySelector('.pp-title')?.textContent
    expect(title()).toBe('One')
    rerender(appOf(`${TARGET}/two`))
    expect(title()).toBe('Two')
    const newer = await resultOf(`${TARGET}/two`, 'Newer')
    results[`${TARGET}/two`] = { ...newer, receivedAt: newer.receivedAt + 1 }
    rerender(appOf(`${TARGET}/two`))
    expect(title()).toBe('Newer')
    expect(own.requests).toEqual([])
  },
)

it('shows the link placeholder, then the card', async () => {
  const { container } = hydrateAndChange({})
  expect(container.querySelector('.page-preview > .pp-link')?.getAttribute('href')).toBe(TARGET)
  await vi.waitFor(() => expect(container.querySelector('.pp-title')?.textContent).toBe(page.title))
  expect(recovered).toEqual([])
})
