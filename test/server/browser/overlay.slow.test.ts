import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { imageDifference } from './image-difference.js'
import { isLike, pixelAt, pixelSize } from './pixels.js'
import type { Route } from '../../local-site.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const GRADIENT = 'linear-gradient(225deg, #ff057c 0%, #8d0b93 50%, #321575 100%)'
const desktop = (deviceScaleFactor: number) => ({ width: 1280, height: 800, deviceScaleFactor })
const small = { width: 200, height: 100, deviceScaleFactor: 1 }

const page = `<!doctype html><title>Test</title><style>
  body { margin: 0; background: #fff } header { height: 90px; background: #e2e8f0 } main { padding: 60px }
  i { display: block; height: 60px; margin-bottom: 30px; background: #475569; border-radius: 12px }</style>
  <header></header><main><i style="width:60%;background:#0f9d6b"></i><i></i><i style="width:80%"></i></main>`

let test: TestBrowser
beforeAll(async () => {
  const stripes = await sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"><rect width="300" height="300" fill="#0ea5e9"/>
      <rect width="100" height="300" fill="#f97316"/><rect y="200" width="300" height="100" fill="#22c55e"/></svg>`),
  )
    .png()
    .toBuffer()
  test = await startTestBrowser({
    '/': page,
    '/plain': '<!doctype html><style>html{background:#00f}</style>',
    '/clear': '<!doctype html><p style="position:absolute;left:20px;width:20px;height:20px;background:red">',
    '/long': '<!doctype html><style>html{background:linear-gradient(red,blue)}</style><div style="height:20000px">',
    '/stripes.png': send('image/png', stripes),
    '/text': send('image/png', 'not an image'),
    '/page': send('text/html', '<h1>Hello'),
    '/image.svg': send('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    '/huge': send('image/png', Buffer.alloc(11_000_000)),
  })
}, 60_000)
afterAll(() => test.close())

const send =
  (type: string, body: string | Buffer): Route =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': type }).end(body)

const captureSmall = (screenshot: object, background?: string) =>
  test.capture('/clear', { overlay: { browser: 'light', background }, screenshot, viewport: small })

const expectInvalidBackground = (background: string, path = '/plain') =>
  expect(test.capture(path, { overlay: { background }, viewport: small })).rejects.toMatchObject({
    code: 'EINVALOVERLAYBG',
    status: 400,
    data: { 'overlay.background': 'is neither a colour, a gradient nor a reachable image' },
  })

const backgroundOf = (kind: string) =>
  ({ colour: '#2563eb', gradient: GRADIENT, image: `${test.site.url}/stripes.png` })[kind]

describe('a window or a background around a capture', () => {
  const variants = ['light', 'dark', 'bare'].flatMap((theme) =>
    ['colour', 'gradient', 'image'].map((kind) => [theme, kind] as const),
  )
  it.each(variants)('matches its reference image at single and double density: %s on %s', async (theme, kind) => {
    const overlay = { background: backgroundOf(kind), ...(theme !== 'bare' && { browser: theme }) }
    for (const factor of [1, 2]) {
      const capture = await test.capture('/', { overlay, viewport: desktop(factor), screenshot: { type: 'png' } })
      expect(capture).toMatchObject({ width: 1472 * factor, warnings: [] })
      expect(await pixelSize(capture.bytes)).toEqual({ width: capture.width, height: capture.height, format: 'png' })
      const { average, worst } = await imageDifference(capture.bytes, `${theme}-${kind}`)
      expect(average).toBeLessThan(1)
      expect(worst).toBeLessThan(56)
    }
  })

  it('covers nothing of the screenshot but its corners', async () => {
    const { bytes, width, height } = await test.capture('/plain', {
      overlay: { background: 'lime' },
      screenshot: { type: 'png' },
      viewport: small,
    })
    expect([width, height]).toEqual([284, 184])
    for (const [x, y] of [
      [42, 92],
      [241, 92],
      [142, 42],
      [142, 141],
    ] as const)
      expect(await pixelAt(bytes, x, y)).toEqual([0, 0, 255, 255])
    for (const [x, y] of [
      [42, 42],
      [241, 42],
      [42, 141],
      [241, 141],
    ] as const)
      expect((await pixelAt(bytes, x, y))[2]).toBeLessThan(60)
    expect(await pixelAt(bytes, 0, 0)).toEqual([0, 255, 0, 255])
  })

  it.each(['jpg', 'png', 'webp', 'avif'])('is drawn as %s', async (type) => {
    const overlay = { browser: 'dark', background: 'tomato' }
    const capture = await test.capture('/plain', { overlay, screenshot: { type, quality: 90 }, viewport: small })
    expect(capture).toMatchObject({ type, width: 284, height: 207, backgroundColor: expect.stringMatching(/^#f[ef]6/) })
    expect(isLike(await pixelAt(capture.bytes, 2, 2), [255, 99, 71])).toBe(true)
    expect(isLike(await pixelAt(capture.bytes, 142, 120), [0, 0, 255])).toBe(true)
  })

  it('is transparent around and within the page only with omitBackground', async () => {
    const clear = await captureSmall({ type: 'png', omitBackground: true })
    expect((await pixelAt(clear.bytes, 0, 0))[3]).toBe(0)
    expect((await pixelAt(clear.bytes, 200, 120))[3]).toBe(0)
    expect(await pixelAt(clear.bytes, 42 + 25, 65 + 25)).toEqual([255, 0, 0, 255])
    expect(await pixelAt((await captureSmall({ type: 'png' })).bytes, 0, 0)).toEqual([255, 255, 255, 255])
    expect(isLike(await pixelAt((await captureSmall({ omitBackground: true })).bytes, 0, 0), [255, 255, 255])).toBe(
      true,
    )
    const through = await captureSmall({ type: 'png', omitBackground: true }, '#0f0')
    expect(await pixelAt(through.bytes, 200, 120)).toEqual([0, 255, 0, 255])
  })

  it('surrounds an element or a whole page, scaled to fit', async () => {
    const overlay = { browser: 'light', background: 'gold' }
    const element = await test.capture('/', { element: 'header', overlay, viewport: desktop(1) })
    expect(element).toMatchObject({ width: 1472, height: 90 + 245 })
    const screenshot = { fullPage: true, type: 'webp' }
    const long = await test.capture('/long', { overlay, screenshot, viewport: { ...small, height: 400 } })
    expect(long.height).toBeLessThanOrEqual(16_383)
    expect(long.height).toBeGreaterThan(16_300)
    expect(long.warnings).toEqual([expect.stringContaining('exceeds the limits of webp')])
    expect(await pixelSize(long.bytes)).toMatchObject({ width: long.width, height: long.height })
    const [red, , blue] = await pixelAt(long.bytes, Math.round(long.width / 2), -60)
    expect(blue).toBeGreaterThan(200)
    expect(red).toBeLessThan(60)
  })
})

describe('overlay.background', () => {
  it.each([
    'rebeccapurple',
    'rgb(10 20 30 / 50%)',
    'hsl(120deg 50% 50%)',
    'oklch(0.7 0.2 30)',
    'color-mix(in oklab, red, blue 30%)',
    'conic-gradient(from 45deg at 20% 30%, red, gold 25%, blue)',
    'radial-gradient(circle at top left, #fff 0 10px, transparent 60%), linear-gradient(to right, red, blue)',
    'repeating-linear-gradient(45deg, #eee 0 10px, #fff 10px 20px)',
  ])('may be %s', async (background) => {
    const { width, height } = await test.capture('/plain', { overlay: { background }, viewport: small })
    expect([width, height]).toEqual([284, 184])
  })

  it('is the same gradient at every density', async () => {
    const overlay = { background: 'repeating-linear-gradient(90deg, #f00 0 10px, #00f 10px 20px)' }
    for (const factor of [1, 2, 3]) {
      const viewport = { ...small, deviceScaleFactor: factor }
      const { bytes } = await test.capture('/plain', { overlay, viewport, screenshot: { type: 'png' } })
      expect(await pixelAt(bytes, 5 * factor, 2)).toEqual([255, 0, 0, 255])
      expect(await pixelAt(bytes, 15 * factor, 2)).toEqual([0, 0, 255, 255])
      expect(await pixelAt(bytes, 25 * factor, 2)).toEqual([255, 0, 0, 255])
    }
  })

  it('may be an image as url(…), which covers the whole area', async () => {
    const overlay = { background: `url("${test.site.url}/stripes.png")` }
    const { bytes } = await test.capture('/plain', { overlay, viewport: small, screenshot: { type: 'png' } })
    expect(isLike(await pixelAt(bytes, 1, 1), [249, 115, 22])).toBe(true)
    expect(isLike(await pixelAt(bytes, -2, 1), [14, 165, 233])).toBe(true)
  })

  it.each([
    'nonsense',
    'inherit',
    'none',
    '12px',
    'linear-gradient(12px)',
    'linear-gradient(red, 12px)',
    'red; content: "x"',
    'red} body { background: blue',
    'image-set("http://127.0.0.1/x.png" 1x)',
    'linear-gradient(red, blue), url(http://127.0.0.1/x.png)',
    'url(data:image/gif;base64,R0lGODlhAQABAAAAACw=)',
    'url(file:///etc/passwd)',
    'var(--x)',
    'u\\72l(http://127.0.0.1/)',
  ])('may not be %s', async (background) => {
    await expectInvalidBackground(background)
  })

  it('may not be an image that is unreachable or invalid', async () => {
    for (const path of ['/missing', '/text', '/page', '/image.svg', '/huge'])
      await expectInvalidBackground(test.site.url + path)
    await expectInvalidBackground('http://127.0.0.1:9/private.png')
    await expectInvalidBackground('http://169.254.169.254/latest')
  })

  it('is rejected before the page has loaded', async () => {
    const before = performance.now()
    test.site.routes['/slow'] = () => undefined
    await expectInvalidBackground('nonsense', '/slow')
    expect(performance.now() - before).toBeLessThan(3_000)
  })
})
