// Covers the placeholder of a preview that is far from the viewport: `linkPlaceholder` in `page-preview.tsx`.
import { QueryClient } from '@tanstack/react-query'
import type { Ref } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { PagePreviewProvider, PagePreview, type PagePreviewProps } from '../../src/react/index.js'
import '../../src/react/styles.css'
import { fakeService, page, screenshot, TARGET } from './fake-service.js'
import { painted, observeLayoutShifts } from './layout-shifts.js'
import imageUrl from './images/old.png?url'

const data = { ...page, screenshot: { ...screenshot, url: imageUrl, width: 1280, height: 800 } }

afterEach(async () => {
  await cleanup()
  scrollTo(0, 0)
})

const preview = () => document.querySelector<HTMLElement>('.page-preview')!
const isReady = () => vi.waitFor(() => expect(preview().dataset.status).toBe('ready'), { timeout: 10_000 })

/** A preview far below the viewport, in a column of the given width. */
async function farPreview(props: Partial<PagePreviewProps>, width = 311, style = {}) {
  const service = fakeService({ data })
  await render(
    <main style={{ inlineSize: width, paddingBlock: 4_000, font: '16px/1.6 sans-serif', ...style }}>
      <PagePreviewProvider fetch={service.fetch} queryClient={new QueryClient()}>
        <PagePreview url={TARGET} screenshot {...props} />
      </PagePreviewProvider>
      <p>Below</p>
    </main>,
  )
  await painted()
  return service
}

describe.each(['card', 'row', 'image', 'inline'] as const)('the placeholder in the layout %s', (layout) => {
  it.each([
    [170, {}],
    [311, {}],
    [424, { '--pp-lines': 2, '--pp-ratio': '1', '--pp-inset': '0px', '--pp-padding': '2em' }],
    [700, { fontSize: 20 }],
  ])('is as large as the card, at a width of %i pixels', async (width, style) => {
    const service = await farPreview({ layout }, width, style)
    const { width: placeWidth, height } = preview().getBoundingClientRect()
    expect(preview().querySelector('.pp-body')).toBeNull()
    expect(service.requests).toEqual([])
    const shifts = observeLayoutShifts()
    preview().scrollIntoView({ block: 'center' })
    await isReady()
    await painted()
    shifts.stop()
    const card = preview().getBoundingClientRect()
    expect([card.width, card.height]).toEqual([placeWidth, height].map((size) => expect.closeTo(size, 1)))
    expect(shifts.total()).toBe(0)
    expect(service.requests).toHaveLength(1)
  })
})

describe('the placeholder of a preview', () => {
  it.each(['card', 'inline'] as const)(
    'hands its focus over to the link of the card, in the layout %s',
    async (layout) => {
      await farPreview({ layout, children: 'the essay' })
      const link = preview().matches('a') ? preview() : preview().querySelector('a')!
      expect(link.getAttribute('href')).toBe(TARGET)
      expect(link.textContent).toContain('the essay')
      link.focus()
      await isReady()
      await vi.waitFor(() => expect(document.activeElement?.isConnected && document.activeElement.tagName).toBe('A'))
      expect(preview().contains(document.activeElement)).toBe(true)
      expect(document.activeElement).not.toBe(link)
    },
  )

  it('leaves the focus elsewhere unchanged', async () => {
    await farPreview({})
    preview().scrollIntoView({ block: 'center' })
    await isReady()
    expect(document.activeElement).toBe(document.body)
  })

  it('passes its element to the ref, then the element of the card', async () => {
    const elements: (HTMLElement | null)[] = []
    const ref: Ref<HTMLElement> = (element) => void elements.push(element)
    await farPreview({ ref })
    expect(elements).toEqual([preview()])
    preview().scrollIntoView({ block: 'center' })
    await isReady()
    expect(elements.at(-1)).toBe(preview())
    await cleanup()
    expect(elements.at(-1)).toBeNull()
  })

  it('calls the clean-up function of the ref', async () => {
    const end = vi.fn()
    const begin = vi.fn(() => end)
    await farPreview({ ref: begin, loading: 'eager' })
    await isReady()
    await cleanup()
    expect(end).toHaveBeenCalledTimes(begin.mock.calls.length)
  })
})
