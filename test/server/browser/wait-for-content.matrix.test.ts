// Covers how observe-page.ts waits for the content of a page.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createImages, type Images } from '../../../src/server/images/index.js'
import { slowIt } from '../../shared/slow-cases.js'
import { html, send, untilCookie } from '../page-state/made-page.js'
import { requestScope } from '../request-scope.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const STORY = html('The harbour', '<h1 id="story">The harbour</h1><p>Boats lie at their moorings.</p>')
const check = (script: string) =>
  send(html('Just a moment...', `<p>Verifying you are human.</p><script>${script}</script>`), { status: 403 })
const PASS = `setTimeout(() => { document.cookie = 'passed=1; path=/'; location.reload() }, 500)`
/** Painted at the server's event; a stream of events does not keep a page from being captured. */
const paintAtEvent = (script: string) =>
  `new EventSource('/events').onmessage = () => { ${script}; requestAnimationFrame(() => setTimeout(() => fetch('/painted'))) }`
const small = { viewport: { width: 300, height: 200, deviceScaleFactor: 1 } }

let test: TestBrowser
let sendEvent: () => void
beforeAll(async () => {
  test = await startTestBrowser({
    '/passes': untilCookie('passed', check(PASS), send(STORY)),
    '/stays': check('window.a = 1'),
    '/content': STORY,
    '/behind-capture': html(
      'App',
      `<div id="root"></div><script>${paintAtEvent(`root.innerHTML = '<p>Late.</p>'`)}</script>`,
    ),
    '/coloured-behind-capture': html(
      'App',
      `<p id="root" style="color:#fff">Late.</p><script>${paintAtEvent(`root.style.color = '#000'`)}</script>`,
    ),
    '/events': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      sendEvent = () => void response.write('data: paint\n\n')
    },
    '/painted': '',
    '/shell-timer': html(
      'frontend',
      `<div id="app"></div><script>setTimeout(async () => { app.innerHTML = await (await fetch('/boats')).text() }, 150)</script>`,
    ),
    '/boats': (_, response) => void setTimeout(() => response.end('<h1>The harbour</h1><p>Boats lie.</p>'), 300),
    '/shell-title': html(
      'harbour_app',
      `<div id="host"></div><script>setTimeout(() => { document.title = 'The harbour' }, 600)</script>`,
    ),
    '/shell-loading': html(
      'App',
      `<div id="app">Loading Harbour…</div><script>setTimeout(() => { app.innerHTML = '<p>Boats lie.</p>' }, 500)</script>`,
    ),
    '/shell-empty': html('App', `<div id="app"></div><script>window.a = 1</script>`),
    '/late': html(
      'App',
      `<div id="root"></div><script>setTimeout(() => { root.innerHTML = '<p>Late.</p>' }, 500)</script>`,
    ),
  })
}, 60_000)
afterAll(() => test.close())

/** A browser with the same site; `behind` is waited for behind the first screenshot, before anything is made of it. */
async function startSlowEncoder(behind: () => Promise<unknown>): Promise<TestBrowser> {
  const images = createImages()
  let isFirst = true
  const encodeScreenshot: Images['encodeScreenshot'] = async (...args) => {
    if (isFirst) await behind()
    isFirst = false
    return images.encodeScreenshot(...args)
  }
  const slow = await startTestBrowser(test.site.routes, { images: { ...images, encodeScreenshot } })
  onTestFinished(() => Promise.all([slow.close(), images.close()]).then(() => undefined))
  return slow
}

describe('a bot check that the browser passes', () => {
  it('gives the page behind it, and its document', async () => {
    const scope = requestScope({ url: `${test.site.url}/passes`, screenshot: true, ...small })
    const capture = await test.browser.capture(scope, () => true)
    expect(capture).toMatchObject({ state: undefined, statusCode: 200, warnings: [] })
    expect(capture.html).toContain('Boats lie')
  })

  slowIt('gives an element of the page behind it', async () => {
    expect(await test.capture('/passes', { element: '#story', ...small })).toMatchObject({ state: undefined })
  })

  slowIt('gives the document where no screenshot is needed', async () => {
    const rendered = await test.browser.render(requestScope({ url: `${test.site.url}/passes` }))
    expect(rendered).toMatchObject({ state: undefined, statusCode: 200 })
    expect(rendered.html).toContain('Boats lie')
  })
})

describe('a document that is opened for its metadata alone', () => {
  it.each<[what: string, path: string, found: string]>([
    ['a timer before a request', '/shell-timer', 'Boats lie'],
    ['a title alone, beside a canvas', '/shell-title', '<title>The harbour</title>'],
    ['a word of waiting', '/shell-loading', 'Boats lie'],
  ])('is read once its scripts have filled it: %s', async (_, path, found) => {
    const rendered = await test.browser.render(requestScope({ url: `${test.site.url}${path}` }))
    expect(rendered.state).toBeUndefined()
    expect(rendered.html).toContain(found)
  })

  it('is read as it is if they do not', async () => {
    const rendered = await test.browser.render(requestScope({ url: `${test.site.url}/shell-empty` }))
    expect(rendered).toMatchObject({ state: undefined, statusCode: 200 })
    expect(rendered.html).toContain('<title>App</title>')
  })
})

it('a page that is painted late is captured then, and warned about once', async () => {
  const { state, warnings } = await test.capture('/late', { screenshot: { padding: 10 }, ...small })
  expect([state, warnings]).toEqual([undefined, ['padding has no effect without element or clip.']])
})

slowIt.each(['/behind-capture', '/coloured-behind-capture'])(
  'a page that is painted between its capture and the wait for it is captured again: %s',
  async (path) => {
    const slow = await startSlowEncoder(async () => {
      sendEvent()
      await expect.poll(() => slow.site.requests).toContain('GET /painted')
    })
    expect(await slow.capture(path, small)).toMatchObject({ state: undefined })
  },
)

slowIt.concurrent('a bot check that stays is waited for within the time of the capture', async () => {
  expect(await test.capture('/stays', { timeout: 9_000, ...small })).toMatchObject({ state: 'bot-check' })
})

slowIt.concurrent('a bot check that stays is the reason that an element of the page is missing', async () => {
  const capture = await test.capture('/stays', { element: '#story', timeout: 9_000, ...small })
  expect(capture).toMatchObject({ state: 'bot-check', statusCode: 403 })
})

it('an element that is missing on a page with its content is reported', async () => {
  const capture = test.capture('/content', { element: '#nowhere', ...small })
  await expect(capture).rejects.toMatchObject({ code: 'EELEMENT', data: { element: 'missing' } })
})

it('the wait for a bot check ends when the capture is aborted', async () => {
  const abort = new AbortController()
  const capture = test.capture('/stays', small, { signal: abort.signal })
  setTimeout(() => abort.abort(new Error('cancelled')), 1_500)
  await expect(capture).rejects.toThrow('cancelled')
})
