// Covers a hundred previews on one page: how much they render and request.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { PagePreview, PagePreviewProvider } from '../../src/react/index.js'
import '../../src/react/styles.css'
import { fakeService, page, screenshot } from './fake-service.js'
import { painted, observeLayoutShifts } from './layout-shifts.js'
import imageUrl from './images/old.png?url'

const data = { ...page, screenshot: { ...screenshot, url: imageUrl, width: 1280, height: 800 } }
const layouts = ['card', 'row', 'image'] as const

afterEach(async () => {
  await cleanup()
  document.body.replaceChildren()
})

/** Renders a hundred previews one below the other. @returns The cumulative layout shift once they are settled. */
async function shiftsOf(
  service: ReturnType<typeof fakeService>,
  isSettled: (root: HTMLElement) => boolean,
  queryClient = new QueryClient(),
) {
  const shifts = observeLayoutShifts()
  await render(
    <QueryClientProvider client={queryClient}>
      <PagePreviewProvider fetch={service.fetch}>
        <main style={{ inlineSize: 311, display: 'flow-root', font: '16px/1.6 sans-serif' }}>
          {Array.from({ length: 100 }, (_, at) => (
            <PagePreview
              key={at}
              url={`https://site-${at}.example`}
              screenshot
              layout={layouts[at % 3]}
              loading="eager"
            />
          ))}
          <p>Below</p>
        </main>
      </PagePreviewProvider>
    </QueryClientProvider>,
  )
  await painted()
  const roots = [...document.querySelectorAll<HTMLElement>('.page-preview')]
  expect(roots).toHaveLength(100)
  await vi.waitFor(() => expect(roots.slice(0, 3).every(isSettled)).toBe(true), { timeout: 20_000 })
  // Scrolls down as a reader does, because the others load near the viewport only.
  for (const root of roots.filter((_, at) => at % 20 === 19)) {
    root.scrollIntoView()
    await painted()
    await vi.waitFor(() => expect(isSettled(root)).toBe(true), { timeout: 20_000 })
  }
  await painted()
  shifts.stop()
  return shifts.total()
}

const isComplete = (root: HTMLElement) =>
  root.dataset.status === 'ready' && root.querySelector<HTMLImageElement>('.pp-image')?.complete === true

it('a hundred cached previews cause no layout shift', async () => {
  const queryClient = new QueryClient()
  const service = fakeService({ data })
  await shiftsOf(service, isComplete, queryClient)
  await cleanup()
  expect(await shiftsOf(service, isComplete, queryClient)).toBe(0)
})

it('a hundred late previews cause no layout shift', async () => {
  const late = fakeService({ data, after: new Promise((resolve) => setTimeout(resolve, 300)) })
  expect(await shiftsOf(late, isComplete)).toBe(0)
})

it('a hundred failing previews cause no layout shift', async () => {
  const failing = fakeService({ error: { status: 403, code: 'EFORBIDDENURL' } })
  expect(
    await shiftsOf(failing, (root) => root.querySelector('.pp-retry') !== null || !root.querySelector('.pp-skeleton')),
  ).toBe(0)
})
