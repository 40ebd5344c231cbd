// Covers `useSuspensePagePreview` of src/react/use-page-preview.ts.
import { QueryClient, QueryClientProvider, QueryErrorResetBoundary } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { Component, Suspense, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PagePreviewProvider, useSuspensePagePreview, type UsePagePreviewOptions } from '../../src/react/index.js'
import { isPageError } from '../../src/query/index.js'
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

/** The smallest error boundary: a button with the code, which tries again. */
class Boundary extends Component<{ reset: () => void; children: ReactNode }, { error?: unknown }> {
  static getDerivedStateFromError = (error: unknown) => ({ error })

  override state: { error?: unknown } = {}

  override render() {
    const { error } = this.state
    if (!isPageError(error)) return this.props.children
    const retry = () => {
      this.props.reset()
      this.setState({ error: undefined })
    }
    return <button onClick={retry}>{error.code}</button>
  }
}

function Title(props: UsePagePreviewOptions) {
  const [, { page, displayUrl }] = useSuspensePagePreview(props)
  return <a href={displayUrl.href}>{page.title}</a>
}

const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <PagePreviewProvider fetch={(...request) => service.fetch(...request)}>
        <QueryErrorResetBoundary>
          {({ reset }) => (
            <Boundary reset={reset}>
              <Suspense fallback={<a href={TARGET}>The page</a>}>
                <Title url={TARGET} />
              </Suspense>
            </Boundary>
          )}
        </QueryErrorResetBoundary>
      </PagePreviewProvider>
    </QueryClientProvider>,
  )

it('suspends until there is a result', async () => {
  show()
  expect(screen.getByRole('link').textContent).toBe('The page')
  await waitFor(() => expect(screen.getByText(page.title!).getAttribute('href')).toBe(TARGET))
  expect(service.requests).toHaveLength(1)
})

it('throws a failure to the error boundary, which may fetch again', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  service.respondWith({ error: { status: 403, code: 'EFORBIDDENURL' } })
  show()
  const button = await waitFor(() => screen.getByText('EFORBIDDENURL'))
  service.respondWith({})
  act(() => button.click())
  await waitFor(() => screen.getByText(page.title!))
})
