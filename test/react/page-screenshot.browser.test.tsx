// Covers the box of a screenshot alone: its size in every state, and that nothing moves.
import { QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { page as browser } from 'vitest/browser'
import { QueryClientProvider } from '@tanstack/react-query'
import { PagePreviewProvider, PageScreenshot, type PageScreenshotProps } from '../../src/react/index.js'
import '../../src/react/styles.css'
import { deferred, fakeService, page, screenshot, TARGET } from './fake-service.js'
import { observeLayoutShifts, painted } from './layout-shifts.js'

afterEach(() => cleanup())

/** A PNG of this size, as a URL. */
function imageUrl(width: number, height: number): string {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height })
  const context = canvas.getContext('2d')!
  context.fillStyle = '#0a7'
  context.fillRect(0, 0, width, height)
  return canvas.toDataURL()
}

interface Shot {
  props?: Partial<PageScreenshotProps>
  /** Pixels of the screenshot that the service has; without it the service fails. */
  pixels?: readonly [width: number, height: number]
  /** Width divided by height of the box, in every state. */
  ratio: number
}

const SHOTS: Readonly<Record<string, Shot>> = {
  'a page': { pixels: [1280, 800], ratio: 1.6 },
  'a failure': { ratio: 1.6 },
  'a failure of a given size': { props: { width: 640, height: 160 }, ratio: 4 },
  'an element whose size is given': {
    props: { element: '#a', width: 600, height: 150 },
    pixels: [1200, 300],
    ratio: 4,
  },
  'an element of unknown ratio': { props: { element: '#a' }, pixels: [600, 100], ratio: 1.6 },
  'a full page': { props: { screenshot: { fullPage: true } }, pixels: [1280, 5000], ratio: 1.6 },
  'a full page with a class that sets its size': {
    props: { screenshot: { fullPage: true }, style: { inlineSize: '50%' } },
    pixels: [1280, 5000],
    ratio: 1.6,
  },
}

describe.each([320, 1400])('in a column of %i pixels', (column) => {
  it.each(Object.entries(SHOTS))(
    '%s has one box in every state, and nothing moves',
    async (_, { props, pixels, ratio }) => {
      await browser.viewport(column, 900)
      const { promise, resolve } = deferred()
      const [width = 0, height = 0] = pixels ?? []
      const stored = { ...screenshot, url: pixels ? imageUrl(width, height) : '', width, height }
      const { fetch } = fakeService(
        pixels
          ? { data: { ...page, screenshot: stored }, after: promise }
          : { error: { status: 403, code: 'EFORBIDDENURL' }, after: promise },
      )
      const style = document.createElement('style')
      style.textContent = 'body { margin: 0 }'
      document.head.append(style)
      await render(
        <QueryClientProvider client={new QueryClient()}>
          <PagePreviewProvider fetch={fetch} endpoint="/nothing-here">
            {/* With a key the image comes with the response, here as a data URL. */}
            <PageScreenshot url={TARGET} loading="eager" apiKey={pixels && 'pp_key'} {...props} />
            <p>Below</p>
          </PagePreviewProvider>
        </QueryClientProvider>,
      )
      const box = () => document.querySelector<HTMLElement>('.pp-screenshot')!
      await painted()
      const before = box().getBoundingClientRect()
      expect(before.width / before.height).toBeCloseTo(ratio, 1)
      expect(before.width).toBeLessThanOrEqual(column)
      const shifts = observeLayoutShifts()
      resolve()
      await vi.waitFor(
        () =>
          expect(
            pixels ? (box() as HTMLImageElement).naturalWidth : Number(box().tagName === 'CANVAS'),
          ).toBeGreaterThan(0),
        { timeout: 10_000 },
      )
      await painted(5)
      expect(box().getBoundingClientRect().toJSON()).toEqual(before.toJSON())
      expect(shifts.total()).toBe(0)
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(column)
      shifts.stop()
      style.remove()
    },
  )
})
