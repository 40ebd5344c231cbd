// Covers styles.css: the contrast of icons with what is behind them.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { page as browserPage } from 'vitest/browser'
import { PagePreview } from '../../src/react/index.js'
import '../../src/react/styles.css'
import { TARGET } from './fake-service.js'

afterEach(cleanup)

const svg = (content: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 32 32">${content}</svg>`)}`

const icons = {
  'a white ring': svg('<circle cx="16" cy="16" r="12" stroke="#fff" stroke-width="5" fill="none"/>'),
  'a black ring': svg('<circle cx="16" cy="16" r="12" stroke="#111" stroke-width="5" fill="none"/>'),
  'a dark disc': svg('<circle cx="16" cy="16" r="15" fill="#24292f"/>'),
  'a white cross': svg('<path d="M4 4l24 24M28 4L4 28" stroke="#fff" stroke-width="3"/>'),
  'a yellow star': svg('<path d="M16 2l4 10h10l-8 7 3 11-9-7-9 7 3-11-8-7h10z" fill="#ffd43b"/>'),
  'a light grey letter': svg('<path d="M8 6h16v5H14v4h8v5h-8v8H8z" fill="#e5e5e5"/>'),
}

it.each(Object.entries(icons))('%s has a contrast of 3:1 within it, on light and dark cards', async (_, url) => {
  const preview = (theme: 'light' | 'dark', layout: 'row' | 'inline') => (
    <PagePreview url={TARGET} data={{ title: 'Page', logo: { url } }} theme={theme} layout={layout} loading="eager" />
  )
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <main style={{ inlineSize: 400, font: '16px/1.6 sans-serif' }}>
        {preview('light', 'row')}
        {preview('dark', 'row')}
        {preview('light', 'inline')}
      </main>
    </QueryClientProvider>,
  )
  await vi.waitFor(() => expect(document.querySelectorAll('[aria-hidden] > img')).toHaveLength(5))
  const images = [...document.querySelectorAll<HTMLImageElement>('[aria-hidden] > img')]
  await Promise.all(images.map((image) => image.decode()))
  const contrasts = []
  for (const image of images) contrasts.push(await contrastWithin(image))
  expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(3)
})

it.each(['card', 'row', 'image'] as const)('has a square tile behind it: an icon in the layout %s', async (layout) => {
  const logo = { url: icons['a white ring'] }
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <main style={{ inlineSize: 400, font: '16px/1.6 sans-serif' }}>
        <PagePreview url={TARGET} data={{ title: 'Page', logo }} layout={layout} loading="eager" />
      </main>
    </QueryClientProvider>,
  )
  await vi.waitFor(() => expect(document.querySelector('.pp-fallback img')).not.toBeNull())
  const [tile, icon] = ['.pp-fallback', '.pp-fallback img'].map((part) =>
    document.querySelector(part)!.getBoundingClientRect(),
  )
  expect(tile!.width).toBeCloseTo(tile!.height)
  expect(icon!.width).toBeCloseTo(icon!.height)
  expect(icon!.width).toBeLessThan(tile!.width)
})

/** The contrast between the lightest and the darkest pixel of an element as it is painted. */
async function contrastWithin(element: Element): Promise<number> {
  const base64 = await browserPage.elementLocator(element).screenshot({ save: false })
  const image = new Image()
  image.src = `data:image/png;base64,${base64}`
  await image.decode()
  const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight)
  const context = canvas.getContext('2d')!
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
  const luminances = Array.from({ length: data.length / 4 }, (_, at) => {
    const [red = 0, green = 0, blue = 0] = [...data.subarray(at * 4, at * 4 + 3)].map(linear)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  })
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05)
}

const linear = (value: number) => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)
