// Covers what visit-page.ts does with the hash of a URL, and the environment that text fragments need.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { slowCases, slowIt } from '../../shared/slow-cases.js'
import { isLike, pixelAt, pixelSize } from './pixels.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const RED = [255, 0, 0]
const GREEN = [0, 255, 0]
const WHITE = [255, 255, 255]

const long = (style = '') => `<!doctype html><html style="${style}"><title>Long</title>
  <body style="margin:0"><div style="height:3000px;background:red"></div>
  <div id="here" style="height:400px;background:lime"></div>
  <p style="margin:0;height:200px;font:40px/200px sans-serif">Some long words</p><div style="height:3000px;background:red"></div>`

const svg = (height: number) => `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="${height}"></svg>`

let test: TestBrowser
beforeAll(async () => {
  test = await startTestBrowser({
    '/long': long(),
    '/smooth': long('scroll-behavior:smooth'),
    // The image above pushes the element away, some time after the browser has scrolled there.
    '/pushed': `<!doctype html><title>Long</title><body style="margin:0;overflow-anchor:none"><img src="/late.svg" alt="" style="display:block">
      <div style="height:400px;background:red"></div><div id="here" style="height:400px;background:lime"></div><div style="height:3000px;background:red"></div>
      <script>addEventListener('load', () => setTimeout(() => document.querySelector('img').src = '/tall.svg', 20))</script>`,
    '/late.svg': (_, response) => void response.setHeader('content-type', 'image/svg+xml').end(svg(10)),
    '/tall.svg': (_, response) => void response.setHeader('content-type', 'image/svg+xml').end(svg(900)),
    '/app': `<!doctype html><title>App</title><body style="margin:0;overflow-anchor:none"><div id="app"></div><script>
      const rows = (n) => '<div style="height:300px;background:red"></div>'.repeat(n)
      app.innerHTML = rows(2) + '<div id="here" style="height:400px;background:lime"></div>' + rows(9)
      addEventListener('load', () => fetch('/long').then(() => app.insertAdjacentHTML('afterbegin', rows(4))))</script>`,
    '/tabs': `<!doctype html><title>Tabs</title><body style="margin:0"><div style="height:3000px;background:red"></div><div id="here" style="height:400px;background:lime"></div>
      <div style="height:3000px"></div><script>addEventListener('load', () => setTimeout(() => scrollTo(0, 0), 10))</script>`,
    '/old': (_, response) => void response.writeHead(302, { location: '/long' }).end(),
  })
}, 60_000)
afterAll(() => test.close())

const viewport = { width: 300, height: 200, deviceScaleFactor: 1 }
const capture = (path: string, query = {}) => test.capture(path, { viewport, type: 'png', ...query })

describe('the hash of the URL', () => {
  it.each([
    '/long#here',
    '/pushed#here',
    ...slowCases('/app#here', '/smooth#here', '/old#here', '/long#here:~:text=no%20such%20words'),
  ])('scrolls to the element: %s', async (path) => {
    const { bytes } = await capture(path)
    for (const y of [2, 100, -2]) expect(isLike(await pixelAt(bytes, 290, y), GREEN)).toBe(true)
  })

  it.each(['/long#nowhere', ...slowCases('/long', '/long#', '/tabs#here', '/long#:~:text=no%20such%20words')])(
    'stays at the top: %s',
    async (path) => {
      expect(isLike(await pixelAt((await capture(path)).bytes, 290, 100), RED)).toBe(true)
    },
  )

  it.each([
    '/long#:~:text=long%20words',
    ...slowCases('/smooth#:~:text=long%20words', '/old#:~:text=Some,words', '/long#here:~:text=long%20words'),
  ])('scrolls to the text and marks it: %s', async (path) => {
    const { bytes } = await capture(path)
    expect(isLike(await pixelAt(bytes, 298, 100), WHITE)).toBe(true)
    const marked = await Promise.all([...Array(300).keys()].map((x) => pixelAt(bytes, x, 105)))
    // Chromium marks with a pale violet.
    expect(marked.filter(([red = 0, green = 0, blue = 0]) => blue - green > 20 && red > 150).length).toBeGreaterThan(40)
  })

  slowIt('does not cut a whole page, an element or a clip', async () => {
    const whole = await capture('/long#here', { screenshot: { fullPage: true } })
    expect(await pixelSize(whole.bytes)).toMatchObject({ width: 300, height: 6_600 })
    expect(isLike(await pixelAt(whole.bytes, 290, 10), RED)).toBe(true)
    const clip = await capture('/long#here', { screenshot: { clip: '0,0,50,40' } })
    expect(isLike(await pixelAt(clip.bytes, 20, 20), RED)).toBe(true)
  })

  it('is overridden by scroll', async () => {
    const { bytes } = await capture('/long#:~:text=long%20words', { scroll: '#here' })
    expect(isLike(await pixelAt(bytes, 290, 100), GREEN)).toBe(true)
  })
})
