import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  PagePreviewBoundary,
  PagePreviewProvider,
  useSuspensePagePreview,
  type UsePagePreviewOptions,
} from '../../src/react/index.js'
import { fakeService, page, TARGET, type FakeService } from './fake-service.js'

let queryClient: QueryClient
let service: FakeService

beforeEach(() => {
  queryClient = new QueryClient()
  service = fakeService({})
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.restoreAllMocks()
})

const App = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>
    <PagePreviewProvider fetch={(...request) => service.fetch(...request)}>{children}</PagePreviewProvider>
  </QueryClientProvider>
)

describe('PagePreviewBoundary', () => {
  function Waiting(props: UsePagePreviewOptions) {
    const [, { page, displayUrl }] = useSuspensePagePreview(props)
    return <a href={displayUrl.href}>{page.title}</a>
  }
  const link = <a href={TARGET}>The page</a>

  it('shows its fallback until there is a result', async () => {
    render(
      <PagePreviewBoundary fallback={link}>
        <Waiting url={TARGET} />
      </PagePreviewBoundary>,
      { wrapper: App },
    )
    expect(screen.getByRole('link').textContent).toBe('The page')
    await waitFor(() => expect(screen.getByText(page.title!).getAttribute('href')).toBe(TARGET))
    expect(service.requests).toHaveLength(1)
  })

  it('shows a failure and fetches again on retry', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    service.respondWith({ error: { status: 403, code: 'EFORBIDDENURL' } })
    const onError = vi.fn()
    render(
      <PagePreviewBoundary
        fallback={link}
        onError={onError}
        failed={({ error, retry }) => <button onClick={retry}>{error.code}</button>}
      >
        <Waiting url={TARGET} />
      </PagePreviewBoundary>,
      { wrapper: App },
    )
    const button = await waitFor(() => screen.getByText('EFORBIDDENURL'))
    expect(onError).toHaveBeenCalledTimes(1)
    service.respondWith({})
    act(() => button.click())
    await waitFor(() => screen.getByText(page.title!))
  })

  it('propagates errors other than PageError', () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const Broken = () => {
      throw new RangeError('Not ours.')
    }
    expect(() =>
      render(
        <PagePreviewBoundary fallback={link}>
          <Broken />
        </PagePreviewBoundary>,
      ),
    ).toThrow('Not ours.')
  })
})
