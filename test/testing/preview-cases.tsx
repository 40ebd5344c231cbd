import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it } from 'vitest'
import { PagePreview, PagePreviewProvider } from '../../src/react/index.js'
import { createFakeService } from '../../src/testing/index.js'

const A = 'https://a.example'

/**
 * What an app tests with a fake service; it must hold in every DOM that vitest offers. The previews are eager, because the
 * IntersectionObserver of happy-dom never reports anything.
 */
export function describePreviews(): void {
  afterEach(cleanup)

  const show = (service: typeof fetch, preview: ReactNode) =>
    render(
      <QueryClientProvider client={new QueryClient()}>
        <PagePreviewProvider fetch={service}>{preview}</PagePreviewProvider>
      </QueryClientProvider>,
    )

  it('shows the page of the fake service', async () => {
    show(createFakeService({ [A]: { title: 'Tide tables' } }), <PagePreview url={A} screenshot loading="eager" />)
    const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Tide tables' })
    expect(link.getAttribute('href')).toBe(A)
    const image = await screen.findByRole('img')
    expect(image.getAttribute('src')).toMatch(/^data:image\/svg\+xml,/)
    expect([image.getAttribute('width'), image.getAttribute('height')]).toEqual(['2560', '1600'])
  })

  it('shows the link of a page that is still being captured', async () => {
    const service = createFakeService({ [A]: new Promise<never>(() => {}) })
    show(service, <PagePreview url={A} loading="eager" />)
    await expect.poll(() => service.requests.length).toBe(1)
    expect(screen.getByRole('link').textContent).toContain('a.example')
  })

  it('shows a failure, and the page after Retry', async () => {
    const service = createFakeService({ [A]: ['EUNREACHABLE', 'EUNREACHABLE', 'EUNREACHABLE', { title: 'Tides' }] })
    show(service, <PagePreview url={A} loading="eager" />)
    fireEvent.click(await screen.findByRole('button', { name: 'Retry' }))
    await screen.findByRole('link', { name: 'Tides' })
  })

  it('replaces a stale result by the next one', async () => {
    const service = createFakeService({ [A]: [{ title: 'Old', cache: { status: 'STALE' } }, { title: 'New' }] })
    show(service, <PagePreview url={A} loading="eager" />)
    await screen.findByRole('link', { name: 'Old' })
    await screen.findByRole('link', { name: 'New' })
    expect(service.requests).toHaveLength(2)
  })
}
