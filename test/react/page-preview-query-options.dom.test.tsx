import { broadcastQueryClient } from '@tanstack/query-broadcast-client-experimental'
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import {
  dehydrate,
  HydrationBoundary,
  QueryClient,
  QueryClientProvider,
  useQuery,
  type DehydratedState,
} from '@tanstack/react-query'
import { PersistQueryClientProvider } from '@tanstack/react-query-persist-client'
import { act, render, screen, waitFor, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  PagePreview,
  PagePreviewProvider,
  pagePreviewQueryOptions,
  usePagePreview,
  type PagePreviewProps,
} from '../../src/react/index.js'
import { fakeViewport } from './fake-viewport.js'
import { fakeService, page, screenshot, TARGET, type FakeService } from './fake-service.js'
import { failOnConsoleError } from './fail-on-console-error.js'

let service: FakeService

// The observer of a fake viewport stays in the modules, which the tests of other files share.
afterAll(() => vi.resetModules())
beforeEach(() => {
  service = fakeService({})
})
afterEach(() => document.body.replaceChildren())
failOnConsoleError()

const query = { url: TARGET, screenshot: true } as const
const inApp = (queryClient: QueryClient, children: ReactNode) => (
  <QueryClientProvider client={queryClient}>
    <PagePreviewProvider fetch={service.fetch}>{children}</PagePreviewProvider>
  </QueryClientProvider>
)
const card = <PagePreview {...query} data-testid="root" />
const state = () => screen.getByTestId('root').dataset.status
const isReady = () => waitFor(() => expect(state()).toBe('ready'))

it('hydrates with the server’s results, without a request and without a change of the markup', async () => {
  const onServer = new QueryClient()
  await onServer.prefetchQuery(pagePreviewQueryOptions(query, { fetch: service.fetch }))
  const app = (queryClient: QueryClient, dehydrated: DehydratedState) =>
    inApp(queryClient, <HydrationBoundary state={dehydrated}>{card}</HydrationBoundary>)
  const dehydrated = JSON.parse(JSON.stringify(dehydrate(onServer))) as DehydratedState
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = renderToString(app(new QueryClient(), dehydrated))
  expect(container.textContent).toContain(page.title)
  const article = container.firstElementChild!
  render(app(new QueryClient(), dehydrated), { container, hydrate: true })
  expect(container.firstElementChild).toBe(article)
  expect(state()).toBe('ready')
  expect(service.requests).toHaveLength(1)
})

it('restores persisted results only after hydration', async () => {
  const persister = createSyncStoragePersister({ storage: localStorage, throttleTime: 0 })
  const app = (queryClient: QueryClient) => (
    <PersistQueryClientProvider client={queryClient} persistOptions={{ persister }}>
      {inApp(queryClient, card)}
    </PersistQueryClientProvider>
  )
  const first = render(app(new QueryClient()))
  await isReady()
  await waitFor(() => expect(localStorage.getItem('REACT_QUERY_OFFLINE_CACHE')).toContain(page.title))
  first.unmount()

  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = renderToString(inApp(new QueryClient(), card))
  expect(state()).toBe('loading')
  render(app(new QueryClient()), { container, hydrate: true })
  await isReady()
  expect(service.requests).toHaveLength(1)
  localStorage.clear()
})

it('shares its result with useQuery and ensureQueryData of the app', async () => {
  const queryClient = new QueryClient()
  const options = pagePreviewQueryOptions(query, { fetch: service.fetch })
  const Title = () => <p>{useQuery(options).data?.data.title}</p>
  render(
    inApp(
      queryClient,
      <>
        {card}
        <Title />
      </>,
    ),
  )
  await isReady()
  expect((await queryClient.ensureQueryData(options)).data.title).toBe(page.title)
  expect(screen.getByText(page.title!, { selector: 'p' }).textContent).toBe(page.title)
  expect(service.requests).toHaveLength(1)
  expect(queryClient.getDefaultOptions()).toEqual({})
})

describe('in two tabs', () => {
  const { queryKey } = pagePreviewQueryOptions(query)
  const closeFunctions: (() => void)[] = []
  afterEach(() => closeFunctions.splice(0).forEach((close) => close()))

  /** The QueryClient of a tab, which exchanges its results with other tabs. */
  function tab(): QueryClient {
    const queryClient = new QueryClient()
    closeFunctions.push(
      broadcastQueryClient({ queryClient, broadcastChannel: 'previews', options: { type: 'native' } }),
    )
    return queryClient
  }
  const inTab = (queryClient: QueryClient, name: string) =>
    render(inApp(queryClient, <PagePreview {...query} data-testid={name} />))
  const title = (name: string) => within(screen.getByTestId(name)).getByRole('link').textContent

  it('shows in one what the other has fetched', async () => {
    const [first, second] = [tab(), tab()]
    inTab(first, 'first')
    await waitFor(() => expect(second.getQueryData(queryKey)).toBeDefined())
    inTab(second, 'second')
    expect(title('second')).toBe(page.title)
    // Any further request would have been sent by the end of this refetch.
    await act(() => first.refetchQueries())
    expect(service.requests).toHaveLength(2)
  })

  it('shows in one what was refetched in the other', async () => {
    const [first, second] = [tab(), tab()]
    inTab(first, 'first')
    await waitFor(() => expect(second.getQueryData(queryKey)).toBeDefined())
    inTab(second, 'second')
    service.respondWith({ data: { ...page, title: 'New title' }, timestamp: 1_800_000_000_000 })
    await act(() => first.refetchQueries())
    await waitFor(() => expect([title('first'), title('second')]).toEqual(['New title', 'New title']))
    expect(service.requests).toHaveLength(2)
  })
})

it.each([
  ['near the viewport', true],
  ['far from it', false],
])('applies a changed filter to the cached result, when it is %s', async (_, isNear) => {
  const queryClient = new QueryClient()
  await queryClient.prefetchQuery(pagePreviewQueryOptions(query, { fetch: service.fetch }))
  function Preview({ filter }: { filter: string }) {
    const [ref, preview] = usePagePreview({ ...query, query: { filter } })
    return <p ref={isNear ? undefined : ref}>{Object.values(preview.page ?? {}).join(': ')}</p>
  }
  fakeViewport(vi.stubGlobal)
  const { container, rerender } = render(inApp(queryClient, <Preview filter="title" />))
  expect(container.textContent).toBe(page.title)
  rerender(inApp(queryClient, <Preview filter="description" />))
  await waitFor(() => expect(container.textContent).toBe(page.description))
  vi.unstubAllGlobals()
  expect(service.requests).toHaveLength(1)
})

it('does not render again when only its parent does', async () => {
  const queryClient = new QueryClient()
  service.respondWith({ data: { ...page, title: null, screenshot } })
  // Every rendering of the card of a page without a title calls it.
  const screenshotOf = vi.fn((host: string) => `Screenshot of ${host}`)
  const messages = { screenshot: screenshotOf }
  const app = (more: Partial<PagePreviewProps> = {}) => (
    <QueryClientProvider client={queryClient}>
      <PagePreviewProvider fetch={service.fetch} messages={messages} defaults={{ query: { viewport: { width: 640 } } }}>
        <PagePreview
          url={TARGET}
          screenshot={{ type: 'png' }}
          query={{ viewport: { width: 320, height: 200 } }}
          style={{ width: 300 }}
          data-testid="root"
          {...more}
        />
      </PagePreviewProvider>
    </QueryClientProvider>
  )
  const { rerender } = render(app())
  await isReady()
  const { length } = screenshotOf.mock.calls
  rerender(app())
  rerender(app())
  expect(screenshotOf).toHaveBeenCalledTimes(length)
  rerender(app({ layout: 'row' }))
  expect(screenshotOf.mock.calls.length).toBeGreaterThan(length)
})
