import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isSrgbProfile } from '../../../src/server/images/open-image.js'
import { slowCases, slowIt } from '../../shared/slow-cases.js'
import { isLike, pixelAt, pixelSize } from './pixels.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const RED = [255, 0, 0]
const GREEN = [0, 255, 0]
const BLUE = [0, 0, 255]
const WHITE = [255, 255, 255]

const page = (body: string, head = '') => `<!doctype html><title>Test</title>${head}<body style="margin:0">${body}`
const box = (style: string, attributes = 'id="box"') =>
  `<div ${attributes} style="position:absolute;background:red;${style}"></div>`
const small = { viewport: { width: 300, height: 200, deviceScaleFactor: 1 } }

type SizeCase = [of: string, path: string, query: Record<string, unknown>, width: number, height: number]
type TallCase = [type: string, height: number, scale: number]

const DOT =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><circle cx="150" cy="100" r="50" fill="red"/></svg>'

const dot = await sharp(Buffer.from(DOT)).png().toBuffer()

let test: TestBrowser
beforeAll(async () => {
  test = await startTestBrowser({
    '/': page('', '<style>html{background:#00f}</style>'),
    '/boxes': page(`<div style="height:2000px"></div>${box('left:20px;top:30px;width:100px;height:50px')}
      ${box('left:10.3px;top:100.7px;width:60.4px;height:40.2px', 'id="fine"')}
      ${box('left:200px;top:150px;width:200px;height:1700px', 'id="long"')}`),
    '/tall': page(`<div style="position:fixed;top:0;width:100%;height:100px;background:lime"></div>
      <div style="height:17000px;background:red"></div><div style="height:17000px;background:blue"></div>`),
    '/sticky': page(`<div style="position:fixed;top:0;width:100%;height:50px;background:lime"></div>
      <div style="position:sticky;top:0;height:50px;background:lime;margin-top:300px"></div><div style="height:19550px"></div>
      <div style="position:fixed;bottom:0;width:100%;height:50px;background:blue"></div>
      <p style="height:100px;margin:0;background:red">`),
    '/endless': page('<div style="height:4000000px">x</div>'),
    '/lazy':
      page(`<div style="height:3000px"></div><img loading="lazy" src="/red.svg" width="300" height="100"><p id="seen">
      <script>new IntersectionObserver(([entry]) => { if (entry.isIntersecting) seen.style = 'height:50px;margin:0;background:blue' }).observe(seen)</script>`),
    '/red.svg': (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'image/svg+xml' })
        .end(
          '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><rect width="300" height="100" fill="red"/></svg>',
        ),
    '/dot.svg': (_, response) => void response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(DOT),
    '/dot.png': (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(dot),
    '/scheme': page(
      '',
      '<style>html{background:red}@media(prefers-color-scheme:dark){html{background:blue}}@media print{html{background:lime}}</style>',
    ),
    '/pointer': page(
      '',
      '<style>@media(hover:hover) and (pointer:fine){html{background:blue}}@media(hover:none) and (pointer:coarse){html{background:lime}}</style>',
    ),
    '/script': page(
      '<script>document.documentElement.style.background = "red"</script>',
      '<style>html{background:blue}</style>',
    ),
    '/fade': page(`<div style="height:200px;background:red;animation:in 60s"></div>
      <style>@keyframes in{from{opacity:0}to{opacity:1}}</style>`),
    '/steps': page(
      `<button style="position:absolute;left:250px" onclick="document.documentElement.append(Object.assign(document.createElement('i'), { id: 'late' }))">go</button>`,
      '<style>html{background:red}html:has(#late){background:lime}</style>',
    ),
    '/link': page(
      '<a href="/next" style="position:absolute;left:250px">next</a>',
      '<style>html{background:red}</style>',
    ),
    '/redirect-later': page('<script>setTimeout(() => (location.href = "/next"), 200)</script>'),
    '/next': page(
      '<div id="cookie-consent" style="position:fixed;inset:0;background:red">Cookies <button>Accept all</button></div>',
    ),
    '/style.css': (_, response) =>
      void response.writeHead(200, { 'content-type': 'text/css' }).end('html{background:lime!important}'),
    '/policy': (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': "default-src 'none'" })
        .end(page('', '')),
  })
}, 60_000)
afterAll(() => test.close())

describe('the size of a screenshot', () => {
  it.each<SizeCase>([
    ['the viewport of the default device', '/', {}, 2560, 1600],
    ['a phone', '/', { device: 'iphone 6' }, 750, 1334],
    ['a custom viewport', '/', { viewport: { width: 333, height: 222, deviceScaleFactor: 1.5 } }, 500, 333],
    ['an element with padding', '/boxes', { element: '#box', screenshot: { padding: 25 }, ...small }, 145, 100],
    ['a whole page', '/boxes', { screenshot: { fullPage: true }, ...small }, 400, 2000],
    ...slowCases<SizeCase>(
      ['a phone in landscape', '/', { device: 'iPhone 6', viewport: { isLandscape: true } }, 1334, 750],
      ['an element', '/boxes', { element: '#box', ...small }, 100, 50],
      ['an element at twice the density', '/boxes', { element: '#box' }, 200, 100],
      ['an element with fractional edges', '/boxes', { element: '#fine' }, 120, 81],
      ['an element larger than the viewport', '/boxes', { element: '#long', ...small }, 200, 1700],
      ['two elements', '/boxes', { element: ['#box', '#fine'], ...small }, 110, 111],
      ['a clip', '/boxes', { screenshot: { clip: '20,30,100,50' }, ...small }, 100, 50],
      ['a clip in fractions of pixels', '/boxes', { screenshot: { clip: '10.3,100.7,60.4,40.2' } }, 120, 81],
      ['a clip beyond the page', '/boxes', { screenshot: { clip: '350,1900,500,500' }, ...small }, 50, 100],
      ['a clip with padding', '/boxes', { screenshot: { clip: '0,1990,400,10', padding: 40 }, ...small }, 400, 50],
    ),
  ])('of %s is reported in its own pixels', async (_, path, query, width, height) => {
    const capture = await test.capture(path, query)
    expect(capture).toMatchObject({ type: 'jpg', width, height, statusCode: 200, warnings: [] })
    expect(await pixelSize(capture.bytes)).toEqual({ width, height, format: 'jpeg' })
  })

  it.each([['jpg', 'jpeg'], ['webp', 'webp'], ...slowCases(['png', 'png'], ['avif', 'heif'])])(
    'is the same as %s',
    async (type, format) => {
      const capture = await test.capture('/boxes', { element: '#box', screenshot: { type }, ...small })
      expect(capture).toMatchObject({ type, width: 100, height: 50 })
      expect(await pixelSize(capture.bytes)).toEqual({ width: 100, height: 50, format })
      expect(isLike(await pixelAt(capture.bytes, 50, 25), RED)).toBe(true)
      // With another profile than sRGB, its variants would be converted in the slow way.
      const { icc } = await sharp(capture.bytes).metadata()
      expect(icc === undefined || isSrgbProfile(icc)).toBe(true)
    },
  )
})

describe('a screenshot', () => {
  it.each([
    [{ screenshot: { padding: 10 } }, 'padding has no effect without element or clip.'],
    [{ element: '#box', screenshot: { clip: '0,0,9,9' } }, 'clip has no effect together with element.'],
    ...slowCases<[object, string]>(
      [{ screenshot: { padding: 10, fullPage: true } }, 'padding has no effect without element or clip.'],
      [
        { styles: '@import url(/style.css); #box { color: red }' },
        'styles: @import has no effect. Pass the URL of the style sheet as a value of styles.',
      ],
    ),
  ])('with %j has a warning', async (query, warning) => {
    expect((await test.capture('/boxes', { ...query, ...small })).warnings).toEqual([warning])
  })

  it('of a clip shows that part of the page, wherever the hash has scrolled it', async () => {
    const query = { screenshot: { clip: '20,30,100,50', type: 'png' }, ...small }
    for (const path of ['/boxes', '/boxes#long'])
      expect(await pixelAt((await test.capture(path, query)).bytes, 50, 25)).toEqual([...RED, 255])
  })

  it('shows all of an element and nothing else, even with fractional edges', async () => {
    for (const element of ['#fine', '#long']) {
      const { bytes } = await test.capture('/boxes', { element, screenshot: { type: 'png' }, ...small })
      for (const [x, y] of [
        [0, 0],
        [-1, 0],
        [0, -1],
        [-1, -1],
      ] as const)
        expect(await pixelAt(bytes, x, y)).toEqual([...RED, 255])
    }
  })

  slowIt.each<TallCase>([
    ['webp', 16_383, 0.4819],
    ['jpg', 34_000, 1],
    ['png', 34_000, 1],
    ['avif', 16_384, 0.4819],
  ])('shows all of a very tall page as %s, scaled to fit', async (type, height, scale) => {
    const viewport = { width: 100, height: 4_000, deviceScaleFactor: 1 }
    const capture = await test.capture('/tall', { screenshot: { type, fullPage: true }, viewport })
    expect(Math.abs(capture.height - height)).toBeLessThanOrEqual(1)
    expect(capture.warnings).toHaveLength(scale < 1 ? 1 : 0)
    expect(await pixelSize(capture.bytes)).toMatchObject({ width: capture.width, height: capture.height })
    const colourAt = (cssY: number) => pixelAt(capture.bytes, Math.floor(capture.width / 2), Math.floor(cssY * scale))
    expect(isLike(await colourAt(50), GREEN)).toBe(true)
    for (const y of [150, 8_000, 16_450, 16_900]) expect(isLike(await colourAt(y), RED)).toBe(true)
    for (const y of [17_100, 25_000, 33_900]) expect(isLike(await colourAt(y), BLUE)).toBe(true)
  })

  it('shows fixed and sticky elements once, and not once per viewport', async () => {
    for (const height of [4_000, ...slowCases(200)]) {
      const viewport = { width: 100, height, deviceScaleFactor: 1 }
      const { bytes } = await test.capture('/sticky', { screenshot: { type: 'png', fullPage: true }, viewport })
      const { data, info } = await sharp(bytes)
        .resize({ width: 1, height: 20_000, fit: 'fill' })
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true })
      const rowsOf = (colour: number[]) =>
        Array.from({ length: info.height }, (_, y) => data.subarray(3 * y, 3 * y + 3)).filter((pixel) =>
          isLike([...pixel], colour),
        ).length
      expect([rowsOf(GREEN), rowsOf(BLUE)]).toEqual([100, 50])
    }
  })

  it('includes lazy content of a whole page', async () => {
    const { bytes } = await test.capture('/lazy', { screenshot: { fullPage: true, type: 'png' }, ...small })
    expect(await pixelAt(bytes, 100, 3050)).toEqual([...RED, 255])
    expect(await pixelAt(bytes, 100, -10)).toEqual([...BLUE, 255])
  })

  it.each([
    [{}, /^#f[ef]0[01]0[01]$/],
    [{ colorScheme: 'dark' }, /^#0[01]0[01]f[ef]$/],
    [{ mediaType: 'print' }, /^#0[01]f[ef]0[01]$/],
  ])('follows colour scheme and media type: %o', async (query, colour) => {
    expect((await test.capture('/scheme', { ...query, ...small })).backgroundColor).toMatch(colour)
  })

  it.each([
    [{}, /^#0[01]0[01]f[ef]$/],
    [{ device: 'iPhone 6' }, /^#0[01]f[ef]0[01]$/],
  ])('has the pointer of the device, on a machine without one: %o', async (query, colour) => {
    expect((await test.capture('/pointer', query)).backgroundColor).toMatch(colour)
  })

  it('shows the page without scripts when they are off', async () => {
    const { bytes } = await test.capture('/script', { javascript: false, screenshot: { type: 'png' }, ...small })
    expect(await pixelAt(bytes, 9, 9)).toEqual([...BLUE, 255])
    const scripted = await test.capture('/script', { screenshot: { type: 'png' }, ...small })
    expect(await pixelAt(scripted.bytes, 9, 9)).toEqual([...RED, 255])
  })

  it('shows the end of a long animation, unless animations are enabled', async () => {
    const query = { screenshot: { type: 'png' }, ...small }
    expect(await pixelAt((await test.capture('/fade', query)).bytes, 9, 9)).toEqual([...RED, 255])
    const [, green] = await pixelAt((await test.capture('/fade', { animations: true, ...query })).bytes, 9, 9)
    expect(green).toBeGreaterThan(200)
  })

  it.each([['/dot.png'], ['/dot.svg']])(
    'of an image is transparent where the image is with omitBackground: %s',
    async (path) => {
      for (const [colorScheme, type] of [
        ['light', 'png'],
        ['dark', 'webp'],
      ]) {
        const { bytes } = await test.capture(path, {
          colorScheme,
          screenshot: { type, omitBackground: true },
          ...small,
        })
        expect((await pixelAt(bytes, 5, 5))[3]).toBe(0)
        expect((await pixelAt(bytes, 150, 100))[3]).toBe(255)
      }
    },
  )

  it('is transparent where the page is with omitBackground', async () => {
    const capture = await test.capture('/boxes', { screenshot: { type: 'png', omitBackground: true }, ...small })
    expect((await pixelAt(capture.bytes, 5, 5))[3]).toBe(0)
    expect(await pixelAt(capture.bytes, 30, 40)).toEqual([...RED, 255])
    const jpg = await test.capture('/boxes', { screenshot: { omitBackground: true }, ...small })
    expect(isLike(await pixelAt(jpg.bytes, 5, 5), WHITE)).toBe(true)
    expect(jpg.warnings).toEqual([expect.stringContaining('omitBackground')])
  })

  it('is taken after styles, click, and waitForSelector', async () => {
    const query = { screenshot: { type: 'png' }, ...small }
    const colour = async (path: string, parameters: object) =>
      pixelAt((await test.capture(path, { ...query, ...parameters })).bytes, 9, 150)
    expect(await colour('/steps', {})).toEqual([...RED, 255])
    expect(await colour('/steps', { click: 'button' })).toEqual([...GREEN, 255])
    expect(await colour('/policy', { styles: 'html { background: red }' })).toEqual([...RED, 255])
    expect(await colour('/policy', { styles: `${test.site.url}/style.css` })).toEqual([...GREEN, 255])
  })

  it.each([
    ['a click', '/link', { click: 'a' }],
    ['a script', '/redirect-later', { waitForTimeout: 400 }],
  ])('has the styles, and no banner, on the page that %s leads to', async (_, path, parameters) => {
    const styles = 'html { background: lime }'
    const { bytes, url } = await test.capture(path, { styles, ...parameters, screenshot: { type: 'png' }, ...small })
    expect(url).toBe(`${test.site.url}/next`)
    expect(await pixelAt(bytes, 9, 150)).toEqual([...GREEN, 255])
  })

  slowIt('is taken without what click and waitForSelector do not find, with a warning', async () => {
    const absent = await test.capture('/steps', {
      click: '#nowhere',
      waitForSelector: '#never',
      timeout: 9_000,
      screenshot: { type: 'png' },
      ...small,
    })
    expect(absent.warnings.map((warning) => warning.split(':')[0])).toEqual(['waitForSelector', 'click'])
  })

  it('is scrolled to the element that the query selects', async () => {
    const { bytes } = await test.capture('/tall', { scroll: 'div:last-of-type', screenshot: { type: 'png' }, ...small })
    expect(await pixelAt(bytes, 100, -5)).toEqual([...BLUE, 255])
  })

  it('includes its colours', async () => {
    const capture = await test.capture('/boxes', {
      palette: true,
      viewport: { width: 160, height: 90, deviceScaleFactor: 1 },
    })
    expect(capture.backgroundColor).toMatch(/^#f[ef]f[ef]f[ef]$/)
    expect(capture.palette?.[0]).toMatch(/^#f[ef]f[ef]f[ef]$/)
    expect(capture.palette?.[1]).toMatch(/^#f[ef]0.0.$/)
  })
})

slowIt('rejects a screenshot of too many pixels', async () => {
  const viewport = { width: 300, height: 10_000, deviceScaleFactor: 1 }
  await expect(test.capture('/endless', { screenshot: { fullPage: true }, viewport })).rejects.toMatchObject({
    code: 'ETOOLARGE',
    status: 422,
  })
})
