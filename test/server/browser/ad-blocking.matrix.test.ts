// Covers ad blocking in a real browser: request interception, blocker and banner hiding take part.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { slowCases, slowIt } from '../../shared/slow-cases.js'
import { isLike, pixelAt } from './pixels.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const viewport = { width: 400, height: 300, deviceScaleFactor: 1 }
const RED = [255, 0, 0]
const WHITE = [255, 255, 255]

/** With a word, because a page that paints nothing is waited for. */
const page = (body: string) =>
  `<!doctype html><title>Test</title><style>body{margin:0}i{position:absolute;top:0}</style>${body}<i>Test</i>`
const fixed = 'position:fixed;left:0;right:0;bottom:0;height:150px;background:red'

const newsletterAfter = (start: string) =>
  `<main>${'The tide gauge was read again. '.repeat(12)}</main><script>
    const show = () => document.body.insertAdjacentHTML('beforeend', '<div role="dialog" style="position:fixed;inset:10px;' +
      'background:red">Join our newsletter <button>No thanks</button></div><i id="there">')
    ${start}
  </script>`

let test: TestBrowser
beforeAll(async () => {
  // The trackers are not on Chromium's HSTS preload list: it would upgrade their requests to HTTPS.
  const hosts = ['ad.doubleclick.net', 'sb.scorecardresearch.com', 'media.example']
  test = await startTestBrowser(
    {
      '/ad.js': (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/javascript' })
          .end('document.documentElement.style.background = "red"'),
      '/pixel': '',
      '/frame': '<body style="background:red">',
      '/banner-known': page(`<div id="onetrust-banner-sdk" style="${fixed}">Hello</div>`),
      '/banner-late': page(`<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend',
        '<div class="cc-banner" style="${fixed}">Hello</div><i id="there">'), 100)</script>`),
      '/banner-unknown': page(`<div style="position:fixed;inset:0;background:rgba(0,0,0,.6)"></div>
        <section style="${fixed}">We value your privacy and use cookies. <button>Accept all</button></section>
        <style>body{overflow:hidden;height:100vh}</style><div style="height:2000px"></div>`),
      '/banner-dialog': page(`<dialog style="background:red;inset:0;width:300px;height:200px">This site uses cookies.
        <button>OK</button></dialog><script>document.querySelector('dialog').showModal()</script>`),
      '/newsletter-late': page(newsletterAfter('setTimeout(show, 100)')),
      '/newsletter-on-click': page(newsletterAfter('document.onclick = show')),
      '/svg': (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'image/svg+xml' })
          .end('<svg xmlns="http://www.w3.org/2000/svg" class="cc-banner"/>'),
      '/beside-svg': page(`<div id="onetrust-banner-sdk" style="${fixed}">Hello</div>
        <svg style="position:fixed;inset:0;width:100%;height:100%"><rect width="100%" height="100%" fill="red"/></svg>`),
      '/header': page(
        `<header style="${fixed};top:0;bottom:auto"><a>Cookies</a> <a>Baking</a> <button>Menu</button></header>`,
      ),
    },
    {
      allowTargets: hosts,
      resolve: async (host) => (hosts.includes(host) ? ['127.0.0.1'] : []),
    },
  )
  const { port } = new URL(test.site.url)
  test.site.routes['/ads'] = page(`<script src="http://ad.doubleclick.net:${port}/ad.js"></script>
    <img src="http://sb.scorecardresearch.com:${port}/pixel?1" width="9" height="9">
    <script>fetch('http://sb.scorecardresearch.com:${port}/pixel?2', { mode: 'no-cors' })</script>`)
  test.site.routes['/ad-frame'] = page(`<iframe src="http://ad.doubleclick.net:${port}/frame" width="400" height="300"
    style="border:0;display:block"></iframe>`)
  test.site.routes['/other-frame'] = page(`<iframe src="http://media.example:${port}/frame" width="400" height="300"
    style="border:0;display:block"></iframe>`)
}, 60_000)
afterAll(() => test.close())

const capture = (path: string, query: object = {}) =>
  test.capture(path, { viewport, screenshot: { type: 'png' }, ...query })
const colourOf = async (path: string, query: object = {}, y = 200) =>
  pixelAt((await capture(path, query)).bytes, 200, y)

describe('adblock', () => {
  it('blocks scripts and pixels of ads and trackers, unless it is off', async () => {
    test.site.requests.length = 0
    expect(await colourOf('/ads')).toEqual([...WHITE, 255])
    expect(test.site.requests).toEqual(['GET /ads'])
    expect(await colourOf('/ads', { adblock: false })).toEqual([...RED, 255])
    expect(test.site.requests).toEqual(expect.arrayContaining(['GET /ad.js', 'GET /pixel?1', 'GET /pixel?2']))
  })

  it('empties frames of advertisers, and no others', async () => {
    expect(await colourOf('/ad-frame')).toEqual([...WHITE, 255])
    expect(await colourOf('/ad-frame', { adblock: false })).toEqual([...RED, 255])
    expect(await colourOf('/other-frame')).toEqual([...RED, 255])
  })

  it.each(['/banner-known', ...slowCases('/banner-unknown', '/banner-dialog')])(
    'hides consent banners: %s',
    async (path) => {
      expect(isLike(await colourOf(path), WHITE)).toBe(true)
      expect(isLike(await colourOf(path, { adblock: false }), RED)).toBe(true)
    },
  )

  it('hides a known banner that appears later, or in a page without scripts', async () => {
    const late = { waitForSelector: '#there' }
    expect(await colourOf('/banner-late', late)).toEqual([...WHITE, 255])
    expect(await colourOf('/banner-known', { javascript: false })).toEqual([...WHITE, 255])
  })

  it('hides a newsletter that appears while the page is waited for, but not after a click', async () => {
    const late = { waitForSelector: '#there' }
    expect(await colourOf('/newsletter-late', late, 280)).toEqual([...WHITE, 255])
    expect(await colourOf('/newsletter-on-click', { click: 'main' }, 280)).toEqual([...RED, 255])
  })

  slowIt('re-enables scrolling on a page that its banner had locked', async () => {
    const { height } = await capture('/banner-unknown', { screenshot: { type: 'png', fullPage: true } })
    expect(height).toBe(2000)
  })

  it('keeps elements that only resemble a banner', async () => {
    expect(await colourOf('/header', {}, 100)).toEqual([...RED, 255])
  })

  slowIt('keeps SVG images, as a page and within one', async () => {
    expect(await colourOf('/svg')).toHaveLength(4)
    expect(await colourOf('/beside-svg')).toEqual([...RED, 255])
  })

  slowIt('works together with headers of the query', async () => {
    const received: (string | undefined)[] = []
    test.site.routes['/headers'] = (request, response) => {
      received.push(request.headers['x-test'] as string | undefined)
      response.writeHead(200, { 'content-type': 'text/html' }).end(page(''))
    }
    for (const adblock of [true, false]) await capture('/headers', { adblock, headers: { 'x-test': 'yes' } })
    expect(received).toEqual(['yes', 'yes'])
  })
})
