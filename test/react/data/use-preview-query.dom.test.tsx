import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import fc from 'fast-check'
import { StrictMode, type ReactNode } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  PagePreview,
  PagePreviewProvider,
  PageScreenshot,
  usePagePreview,
  type UsePagePreviewOptions,
} from '../../../src/react/index.js'
import { fakeService, TARGET, type FakeService } from '../fake-service.js'
import { failOnConsoleError } from '../fail-on-console-error.js'

let service: FakeService

failOnConsoleError()
beforeEach(() => {
  service = fakeService({})
})

type Props = Omit<UsePagePreviewOptions, 'url'>

/** A card of somebody's own, whose words are made at each render. */
function OwnCard({ make }: { make: () => Props }): ReactNode {
  const { status, ref, refresh } = usePagePreview({ url: TARGET, loading: 'eager', ...make() })
  return (
    <div ref={ref} data-testid="card" data-state={status}>
      <button onClick={refresh}>Again</button>
    </div>
  )
}

const inApp = (children: ReactNode, queryClient: QueryClient) => (
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <PagePreviewProvider fetch={service.fetch}>{children}</PagePreviewProvider>
    </QueryClientProvider>
  </StrictMode>
)
const state = () => screen.getByTestId('card').dataset.state

describe('props of any value, created anew in each render', () => {
  const value = fc.anything({
    // What a copy makes of that name is its prototype.
    key: fc.oneof(fc.string(), fc.constantFrom('width', 'type')).filter((name) => name !== '__proto__'),
    values: [fc.integer(), fc.double(), fc.constant(NaN), fc.string(), fc.boolean()],
    withDate: true,
    withMap: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
    maxDepth: 4,
  })
  const words = ['refreshInterval', 'viewport', 'headers', 'screenshot', 'hosts', 'ping', 'click'] as const

  it('do not cause endless renders', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...words), value, async (word, given) => {
        // Types forbid most of it; what comes from JSON or an untyped page is not asked.
        const props = () => ({ [word]: structuredClone(given) }) as Props
        const queryClient = new QueryClient()
        const app = (at: number) =>
          inApp(
            <PagePreviewProvider defaults={props()}>
              <p>{at}</p>
              <PagePreview url={TARGET} loading="eager" {...props()} />
              <PageScreenshot url={TARGET} {...props()} />
              <OwnCard make={props} />
            </PagePreviewProvider>,
            queryClient,
          )
        const { rerender, unmount } = render(app(1))
        rerender(app(2))
        await act(async () => {})
        rerender(app(3))
        unmount()
        queryClient.clear()
      }),
      { numRuns: 60 },
    )
  })
})

describe('an inline `fetch`', () => {
  it.each([
    ['succeeds', {}, 'ready'],
    ['fails', { error: { status: 403, code: 'EFORBIDDENURL' } }, 'failed'],
  ])('is called once when it %s', async (_, answer, end) => {
    service.respondWith(answer)
    const make = (): Props => ({ fetch: (...request) => service.fetch(...request) })
    const queryClient = new QueryClient()
    const { rerender } = render(inApp(<OwnCard make={make} />, queryClient))
    await waitFor(() => expect(state()).toBe(end))
    rerender(inApp(<OwnCard make={make} />, queryClient))
    await act(() => new Promise((resolve) => setTimeout(resolve)))
    expect(service.requests).toHaveLength(1)
  })

  it('is the latest one on refetch', async () => {
    let name = 'first'
    const asked: string[] = []
    const make = (): Props => {
      const mine = name
      return { fetch: (...request) => (asked.push(mine), service.fetch(...request)) }
    }
    const queryClient = new QueryClient()
    const { rerender } = render(inApp(<OwnCard make={make} />, queryClient))
    await waitFor(() => expect(state()).toBe('ready'))
    name = 'second'
    rerender(inApp(<OwnCard make={make} />, queryClient))
    act(() => screen.getByRole('button').click())
    await waitFor(() => expect(asked).toEqual(['first', 'second']))
  })
})
