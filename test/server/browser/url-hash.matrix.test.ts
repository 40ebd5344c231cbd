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

let test: TestBrowser
beforeAll(async () => {
  test = await startTestBrowser({
    '/long': long(),
    '/smooth': long('scroll-behavior:smooth'),
    '/old': (_, response) => void response.writeHead(302, { location: '/long' }).end(),
  })
}, 60_000)
afterAll(() => test.close())

const viewport = { width: 300, height: 200, deviceScaleFactor: 1 }
const capture = (path: string, query = {}) => test.capture(path, { viewport, type: 'png', ...query })

describe('the hash of the URL', () => {
  it.each(['/long#here', ...slowCases('/smooth#here', '/old#here', '/long#here:~:text=no%20such%20words')])(
    'scrolls to the element: %s',
    async (path) => {
      const { bytes } = await capture(path)
      for (const y of [2, 100, -2]) expect(isLike(await pixelAt(bytes, 290, y), GREEN)).toBe(true)
    },
  )

  it.each(['/long#nowhere', ...slowCases('/long', '/long#', '/long#:~:text=no%20such%20words')])(
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
