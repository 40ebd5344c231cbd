import { afterAll, beforeAll, expect, it } from 'vitest'
import { isLike, pixelAt, pixelSize } from './pixels.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const line = (number: number) => `<p>Line ${number}: a long page with some text to read.</p>`
const lines = Array.from({ length: 999 }, (_, at) => line(at + 1)).join('')

let test: TestBrowser
beforeAll(async () => {
  test = await startTestBrowser({
    '/': `<!doctype html><style>body { margin: 0 } p { height: 40px; margin: 0; line-height: 40px }
      header { position: sticky; top: 0; height: 40px; margin-bottom: -40px; background: lime }
      .last { background: blue }</style><header></header>${lines}<p class="last">`,
  })
}, 60_000)
afterAll(() => test.close())

// The limit of jpg and png is 63 megapixels, the limit of the others is the longest side of the format.
it.each([
  ['jpg', 'jpeg', 44_372],
  ['webp', 'webp', 16_383],
  ['png', 'png', 44_372],
  ['avif', 'heif', 16_384],
] as const)(
  'captures a page of 40,000 pixels at double density to its last line as %s',
  async (type, format, maxHeight) => {
    const { bytes, width, height, warnings } = await test.capture('/', { screenshot: { fullPage: true, type } })
    expect(height).toBeGreaterThan(maxHeight - 10)
    expect(height).toBeLessThanOrEqual(maxHeight)
    expect(Math.abs(width / height - 2560 / 80_000)).toBeLessThan(0.001)
    expect(warnings).toHaveLength(1)
    expect(await pixelSize(bytes)).toEqual({ width, height, format })
    const lineHeight = height / 1_000
    expect(isLike(await pixelAt(bytes, 9, -Math.ceil(lineHeight / 4)), [0, 0, 255])).toBe(true)
    expect(isLike(await pixelAt(bytes, width - 9, -Math.ceil(lineHeight * 1.5)), [255, 255, 255])).toBe(true)
    expect(isLike(await pixelAt(bytes, 9, Math.floor(lineHeight / 2)), [0, 255, 0])).toBe(true)
  },
  60_000,
)
