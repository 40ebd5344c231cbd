// Covers how a capture fails, from a real page to the error code: several files of the folder take part.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localSite, redirectTo, type LocalSite } from '../../local-site.js'
import { slowCases } from '../../shared/slow-cases.js'
import { isLike, pixelAt } from './pixels.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const viewport = { width: 300, height: 200, deviceScaleFactor: 1 }
/** A private target that the guard rejects. */
const FORBIDDEN = 'http://127.0.0.1:9/secret'

let test: TestBrowser
/** Another origin that may be reached. */
let other: LocalSite
/** One that is closed. */
let away: LocalSite
beforeAll(async () => {
  other = await localSite({})
  away = await localSite({})
  await away.close()
  test = await startTestBrowser(
    {
      '/': '<!doctype html><h1>Hello</h1>',
      '/elements': `<!doctype html><p>Elements<p id="none" style="display:none">x</p><p id="unseen" style="visibility:hidden">x</p><p id="clear" style="opacity:0">x</p>
      <i id="away" style="position:absolute;left:-9999px">x</i><div id="zero" style="width:0;height:0"></div><div id="flat" style="height:0"></div>
      <script>setTimeout(() => document.body.append(Object.assign(document.createElement('p'), { id: 'late', textContent: 'late' })), 300)</script>`,
      '/stuck': '<!doctype html><style>html{background:red}</style>Stuck<img src="/never">',
      '/stuck-font':
        '<!doctype html><style>@font-face{font-family:f;src:url(/never)}html{background:red}p{font-family:f}</style><p>x<script>document.fonts.load("9px f")</script>',
      '/never': () => undefined,
      '/busy': '<!doctype html><script>setTimeout(() => { for (;;); }, 0)</script>',
      '/busy-later': '<!doctype html><p>Busy<script>onload = () => setTimeout(() => { for (;;); }, 0)</script>',
      '/waits': `<!doctype html><p>Waits<script>
        setTimeout(() => { const r = new XMLHttpRequest(); r.open('GET', '/never?sync', false); r.send() }, 0)</script>`,
      '/missing': (_, response) => void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here'),
      '/to-page': redirectTo('/'),
      '/to-never': redirectTo('/never'),
      '/broken': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': 999 }).write('<h1>Hello')
        setTimeout(() => response.destroy(), 50)
      },
      '/no-gzip': (_, response) =>
        void response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end('<h1>Hello'),
      '/empty-broken': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': 999 }).flushHeaders()
        setTimeout(() => response.destroy(), 50)
      },
      '/stops':
        '<!doctype html><style>html{background:red}</style>Stops<img src="/never"><script>setTimeout(() => stop(), 50)</script>',
      '/loop': redirectTo('/loop'),
      '/to-forbidden': redirectTo(FORBIDDEN),
      '/script-to-forbidden': `<script>location.href = '${FORBIDDEN}'</script>`,
      '/meta-to-forbidden': `<meta http-equiv="refresh" content="0;url=${FORBIDDEN}"><h1>here</h1>`,
      '/tunnel-to-forbidden': `<h1>here</h1><script>location.replace('https://127.0.0.1:9/')</script>`,
      '/script-to-page': `<script>location.href = '/missing'</script>`,
      '/download': (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment' })
          .end('zip'),
      '/nothing': (_, response) => void response.writeHead(204).end(),
      '/image': (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'image/svg+xml' })
          .end('<svg xmlns="http://www.w3.org/2000/svg"><rect width="999" height="999" fill="red"/></svg>'),
      '/nuisance': `<style>html{background:red}p{margin:99px}</style><p>Nuisance<script>
      alert('a'); confirm('b'); window.open('/popup'); navigator.geolocation.getCurrentPosition(() => 0)</script>`,
      '/popup': '<script>for (;;);</script>',
    },
    { concurrency: 8, allowTargets: [other.host, away.host] },
  )
  // Short timeouts below are about the page, not about the start of the browser.
  await test.capture('/', { viewport })
}, 60_000)
afterAll(async () => {
  await test.close()
  await other.close()
})

describe('an element', () => {
  it.concurrent.each<[string, string]>([
    ['#nowhere', 'missing'],
    ['#none', 'hidden'],
    ['#zero', 'empty'],
    ...slowCases<[string, string]>(
      ['#unseen', 'hidden'],
      ['#clear', 'hidden'],
      ['#away', 'hidden'],
      ['#flat', 'empty'],
    ),
  ])('%s fails as %s', async (element, reason) => {
    await expect(test.capture('/elements', { element, viewport })).rejects.toMatchObject({
      code: 'EELEMENT',
      status: 422,
      data: { element: reason },
    })
  })

  it.each<[string[], string, string]>([
    [['body', '#nowhere', '#zero'], 'missing', '#nowhere'],
    ...slowCases<[string[], string, string]>(
      [['#none', '#nowhere'], 'hidden', '#none'],
      [['body', '#zero', '#nowhere'], 'empty', '#zero'],
    ),
  ])('among several fails by itself, the first of %j', async (element, reason, selector) => {
    await expect(test.capture('/elements', { element, viewport })).rejects.toMatchObject({
      code: 'EELEMENT',
      data: { element: reason, selector },
    })
  })

  it('among several with an invalid selector is named by its index', async () => {
    await expect(test.capture('/elements', { element: ['body', '..x'], viewport })).rejects.toMatchObject({
      code: 'EINVALQUERY',
      data: { 'element.1': expect.any(String) },
    })
  })

  it('that appears a little later is waited for', async () => {
    expect(await test.capture('/elements', { element: '#late', viewport })).toMatchObject({ warnings: [] })
  })

  it.each(['element', 'waitForSelector', 'click', 'scroll'])(
    'with an invalid selector is rejected, in %s',
    async (parameter) => {
      await expect(test.capture('/', { [parameter]: '..x', viewport })).rejects.toMatchObject({
        code: 'EINVALQUERY',
        data: { [parameter]: 'is not a CSS selector' },
      })
    },
  )
})

describe('when time is up', () => {
  it.concurrent.each(slowCases('/stuck', '/stuck-font'))('%s is captured as far as it has loaded', async (path) => {
    const capture = await test.capture(path, { viewport, timeout: 6_000, waitUntil: 'load' })
    expect(isLike(await pixelAt(capture.bytes, 290, 190), [255, 0, 0])).toBe(true)
    if (path === '/stuck') expect(capture.warnings).toEqual([expect.stringContaining('still loading')])
  })

  it.concurrent.each(['/never', ...slowCases('/busy')])('%s fails, because nothing has loaded', async (path) => {
    await expect(test.capture(path, {}, { timeoutMs: 1_500 })).rejects.toMatchObject({ code: 'ETIMEOUT', status: 504 })
  })
})

describe('the target page', () => {
  it('is captured whatever its status, and after redirects of any kind', async () => {
    const { site } = test
    expect(await test.capture('/missing', { viewport })).toMatchObject({ statusCode: 404, url: `${site.url}/missing` })
    expect(await test.capture('/to-page', { viewport })).toMatchObject({ statusCode: 200, url: `${site.url}/` })
    expect(await test.capture('/script-to-page', { viewport })).toMatchObject({
      statusCode: 404,
      url: `${site.url}/missing`,
    })
    expect(await test.capture('/image', { viewport })).toMatchObject({ statusCode: 200 })
    expect(await test.capture('/stops', { viewport })).toMatchObject({ statusCode: 200, warnings: [] })
  })

  it.each(['/to-forbidden', '/script-to-forbidden', ...slowCases('/meta-to-forbidden', '/tunnel-to-forbidden')])(
    'that leads to a forbidden URL is rejected: %s',
    async (path) => {
      await expect(test.capture(path, { viewport })).rejects.toMatchObject({ code: 'EFORBIDDENURL', status: 403 })
    },
  )

  it('is rejected at once when its own URL is forbidden', async () => {
    await expect(test.capture('', { url: FORBIDDEN })).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
    await expect(test.capture('', { url: 'https://10.0.0.1/' })).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
  })

  it.each([
    ['/download', 'EUNREACHABLE'],
    ['/nothing', 'EUNREACHABLE'],
    ['/loop', 'EMAXREDIRECTS'],
  ])('without a document fails with an explanation: %s', async (path, code) => {
    await expect(test.capture(path, { viewport })).rejects.toMatchObject({ code, status: 502 })
  })

  it.each([
    ['/no-gzip', / responded, but its page cannot be read \(net::ERR_CONTENT_DECODING_FAILED\)/],
    ['/empty-broken', / cannot be reached \(net::ERR_/],
  ])('fails at once if nothing of its body can be read: %s', async (path, message) => {
    await expect(test.capture(path, { viewport })).rejects.toThrow(message)
  })

  it('is captured as far as it has arrived if its body breaks off', async () => {
    const { statusCode, warnings } = await test.capture('/broken', { viewport })
    expect([statusCode, warnings]).toEqual([200, [expect.stringMatching(/^The page ended early \(net::ERR_/)]])
  })

  it.each([
    ['/never', /^127.0.0.1:\d+ did not respond within 1.5 seconds\./],
    ['/to-never', /^127.0.0.1:\d+ did not respond within 1.5 seconds\./],
    ['/waits', /^The page did not respond to the browser within 1.5 seconds, .* and waited for ".*\/never\?sync"/],
    ...slowCases<[string, RegExp]>(
      ['/busy', /did not respond to the browser within 1.5 seconds, (after it had loaded|while .*)\. Its scripts may/],
      ['/busy-later', /did not respond to the browser within 1.5 seconds, after it had loaded\. Its scripts may/],
    ),
  ])('that takes too long fails, and the error says what was seen: %s', async (path, message) => {
    await expect(test.capture(path, { viewport }, { timeoutMs: 1_500 })).rejects.toThrow(message)
  })

  it('is captured although it opens dialogs and windows', async () => {
    const capture = await test.capture('/nuisance', { viewport, timeout: 5_000 })
    expect(isLike(await pixelAt(capture.bytes, 9, 9), [255, 0, 0])).toBe(true)
    expect(capture.warnings).toEqual([])
  })

  it('receives client hints that fit the user agent', async () => {
    const received: Record<string, unknown>[] = []
    test.site.routes['/hints'] = ({ headers }, response) => {
      received.push(headers)
      response.writeHead(200, { 'content-type': 'text/html' }).end('Hints')
    }
    await test.capture('/hints', { viewport })
    await test.capture('/hints', { viewport, device: 'Pixel 5' })
    await test.capture('/hints', { viewport, device: 'iPhone 13' })
    const [desktop, pixel, iphone] = received
    const major = /Chrome\/(\d+)/.exec(String(desktop!['user-agent']))![1]
    expect(desktop).toMatchObject({
      'sec-ch-ua': expect.stringContaining(`"Google Chrome";v="${major}"`),
      'sec-ch-ua-mobile': '?0',
      'sec-ch-ua-platform': expect.stringMatching(/^"\w/),
    })
    expect(JSON.stringify(received)).not.toContain('Headless')
    expect(pixel).toMatchObject({ 'sec-ch-ua-mobile': '?1', 'sec-ch-ua-platform': '"Android"' })
    expect(iphone).not.toHaveProperty('sec-ch-ua')
  })

  it('receives the headers of the query without the API key, and other origins do not', async () => {
    const received: Record<string, unknown>[] = []
    other.routes['/x.js'] = (request, response) => {
      received.push({ host: 'other', ...request.headers })
      response.end()
    }
    test.site.routes['/headers'] = (request, response) => {
      received.push(request.headers)
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`Headers<script src="/redirected.js"></script><script src="${other.url}/x.js"></script>`)
    }
    test.site.routes['/redirected.js'] = redirectTo(`${other.url}/x.js`)
    const headers = { authorization: 'Bearer x', 'user-agent': 'Someone', apiKey: 'pp_secret', cookie: 'a=b' }
    await test.capture('/headers', { headers, viewport })
    expect(test.site.requests).toContain('GET /redirected.js')
    expect(received[0]).toMatchObject({ authorization: 'Bearer x', 'user-agent': 'Someone', cookie: 'a=b' })
    expect(received.slice(1).length).toBeGreaterThan(0)
    for (const request of received.slice(1)) {
      expect(request).toMatchObject({ 'user-agent': 'Someone' })
      expect(request).not.toHaveProperty('authorization')
      expect(request).not.toHaveProperty('cookie')
    }
    expect(JSON.stringify(received)).not.toContain('pp_secret')
  })
})

it('names the most similar device for an unknown one', async () => {
  await expect(test.capture('/', { device: 'iPhne 6' })).rejects.toMatchObject({
    code: 'EINVALQUERY',
    data: { device: expect.stringContaining('iPhone 6') as string },
  })
})

it('reports a host that cannot be reached', async () => {
  const url = away.url.replace('http:', 'https:')
  await expect(test.capture('', { url })).rejects.toMatchObject({ code: 'EUNREACHABLE' })
})
