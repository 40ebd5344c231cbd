// Covers the stable query of `usePreviewProps` in src/react/page-preview-provider.tsx.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import fc from 'fast-check'
import { StrictMode, useEffect, type ReactNode } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  PagePreview,
  PagePreviewProvider,
  PageScreenshot,
  usePagePreview,
  type UsePagePreviewOptions,
} from '../../src/react/index.js'
import { fakeService, TARGET, type FakeService } from './fake-service.js'
import { failOnConsoleError } from './fail-on-console-error.js'

let service: FakeService

failOnConsoleError()
beforeEach(() => {
  service = fakeService({})
})

type Props = Omit<UsePagePreviewOptions, 'url'>

/** A custom card whose props are created in each render. */
function CustomCard({ createProps }: { createProps: () => Props }): ReactNode {
  const [ref, { status, refresh }] = usePagePreview({ url: TARGET, loading: 'eager', ...createProps() })
  return (
    <div ref={ref} data-testid="card" data-status={status}>
      <button onClick={refresh}>Again</button>
    </div>
  )
}

const inApp = (children: ReactNode, queryClient: QueryClient, fetch: typeof globalThis.fetch = service.fetch) => (
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <PagePreviewProvider fetch={fetch}>{children}</PagePreviewProvider>
    </QueryClientProvider>
  </StrictMode>
)
const state = () => screen.getByTestId('card').dataset.status

describe('props of any value, created anew in each render', () => {
  const value = fc.anything({
    // A copy would assign this name to its prototype.
    key: fc.oneof(fc.string(), fc.constantFrom('width', 'type')).filter((name) => name !== '__proto__'),
    values: [fc.integer(), fc.double(), fc.constant(NaN), fc.string(), fc.boolean()],
    withDate: true,
    withMap: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
    maxDepth: 4,
  })
  const names = ['refreshInterval', 'query', 'screenshot', 'endpoint', 'element', 'overlay'] as const

  it('do not cause endless renders', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), value, async (name, propValue) => {
        // Types forbid most of these values, but untyped callers and JSON are not checked.
        const props = () => ({ [name]: structuredClone(propValue) }) as Props
        const queryClient = new QueryClient()
        const app = (at: number) =>
          inApp(
            <PagePreviewProvider defaults={props()}>
              <p>{at}</p>
              <PagePreview url={TARGET} loading="eager" {...props()} />
              <PageScreenshot url={TARGET} {...props()} />
              <CustomCard createProps={props} />
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
      { numRuns: 15 },
    )
  })
})

describe('an inline `fetch`', () => {
  it.each([
    ['succeeds', {}, 'ready'],
    ['fails', { error: { status: 403, code: 'EFORBIDDENURL' } }, 'failed'],
  ])('is called once when it %s', async (_, response, expectedState) => {
    service.respondWith(response)
    const queryClient = new QueryClient()
    const app = () =>
      inApp(<CustomCard createProps={() => ({})} />, queryClient, (...request) => service.fetch(...request))
    const { rerender } = render(app())
    await waitFor(() => expect(state()).toBe(expectedState))
    rerender(app())
    await act(() => new Promise((resolve) => setTimeout(resolve)))
    expect(service.requests).toHaveLength(1)
  })

  it('keeps the button, the focus and the announcement of a retry while the app renders again', async () => {
    let respond = () => {}
    const after = new Promise<void>((resolve) => (respond = resolve))
    service.respondWith({ error: { status: 422, code: 'EELEMENT' } }, { after })
    const queryClient = new QueryClient()
    const app = () =>
      inApp(<PagePreview url={TARGET} loading="eager" />, queryClient, (...request) => service.fetch(...request))
    const { rerender } = render(app())
    const button = await screen.findByRole('button')
    button.focus()
    act(() => button.click())
    rerender(app())
    expect(screen.getByRole('button')).toBe(button)
    respond()
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('The preview has loaded.'))
    expect(document.activeElement).toBe(screen.getByRole('link'))
  })

  it('is the latest one on refetch', async () => {
    let name = 'first'
    const called: string[] = []
    const queryClient = new QueryClient()
    const app = () => {
      const fetchName = name
      return inApp(
        <CustomCard createProps={() => ({})} />,
        queryClient,
        (...request) => (called.push(fetchName), service.fetch(...request)),
      )
    }
    const { rerender } = render(app())
    await waitFor(() => expect(state()).toBe('ready'))
    name = 'second'
    rerender(app())
    act(() => screen.getByRole('button').click())
    await waitFor(() => expect(called).toEqual(['first', 'second']))
  })
})

it('has a function that fetches again, on which an effect may depend', async () => {
  function FreshCard(): ReactNode {
    const [ref, { status, refresh }] = usePagePreview({ url: TARGET, loading: 'eager' })
    useEffect(() => refresh(), [refresh])
    return <p ref={ref} data-testid="card" data-status={status} />
  }
  for (const response of [{}, { error: { status: 502, code: 'EUNREACHABLE' } }]) {
    service.respondWith(response)
    const before = service.requests.length
    render(inApp(<FreshCard />, new QueryClient()))
    await waitFor(() => expect(state()).toBe(response.error ? 'failed' : 'ready'))
    for (let turn = 0; turn < 10; turn++) await act(() => new Promise((resolve) => setTimeout(resolve)))
    // A few in strict mode, and after a failure another one.
    expect(service.requests.length - before).toBeLessThan(6)
    cleanup()
  }
})
