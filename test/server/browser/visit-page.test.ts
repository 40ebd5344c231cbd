import type { Browser, CDPSession } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Visit } from '../../../src/server/browser/visit.js'
import { assertLoaded } from '../../../src/server/browser/visit-page.js'
import { waitForQuiet } from '../../../src/server/browser/settle.js'
import { pixelAt } from './pixels.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'
import { launchChromium } from '../../shared/launch-chromium.js'

let chromium: Browser
let session: CDPSession
let frameId: string

beforeAll(async () => {
  chromium = await launchChromium()
  session = await (await chromium.newPage()).createCDPSession()
  await session.send('Page.enable')
  frameId = (await session.send('Page.getFrameTree')).frameTree.frame.id
})
afterAll(() => chromium.close())

/** How long without requests a document is waited for, in milliseconds. */
async function neededQuiet(html: string): Promise<number | undefined> {
  await session.send('Page.setDocumentContent', { frameId, html })
  let neededMs: number | undefined
  const frame = {
    document: () => ({ loaderId: '1', url: 'about:blank', statusCode: 200, headers: {} }),
    failure: () => undefined,
    isNavigating: () => false,
    isQuietFor(ms: number) {
      neededMs = ms
      return true
    },
    waitUntil: async (condition: () => boolean) => condition(),
  }
  await waitForQuiet({
    query: { url: 'about:blank' },
    page: { session, frameId },
    frame,
    deadline: { limitWait: () => 5_000 },
    signal: new AbortController().signal,
  } as unknown as Visit)
  return neededMs
}

it.each([
  ['text and images', '<h1>Owls</h1><img src="data:,">'],
  ['JSON-LD, which never runs', '<script type="application/ld+json">{"@type":"Article"}</script>'],
  ['data in JSON', '<SCRIPT TYPE="Application/JSON">{}</SCRIPT>'],
])('captures a page at once that has nothing to run: %s', async (_, html) => {
  expect(await neededQuiet(html)).toBe(0)
})

it.each([
  ['a script', '<script>1</script>'],
  ['a module', '<script type="module">1</script>'],
  [
    'a script beside JSON-LD',
    '<script type="application/ld+json">{}</script><script src="data:text/javascript,1"></script>',
  ],
  ['a frame', '<iframe srcdoc="Owls"></iframe>'],
  ['a redirect', '<meta http-equiv="REFRESH" content="9; url=about:blank">'],
])('waits for the requests of %s', async (_, html) => {
  expect(await neededQuiet(html)).toBeGreaterThan(0)
})

it.each([
  ['ETOOLARGE', 'ETOOLARGE', /used up/],
  ['EBUSY', 'EBUSY', /try again/i],
  ['EINVALURL', 'EINVALURL', /could not be resolved/],
  ['EFORBIDDENURL', 'EFORBIDDENURL', /may not be fetched/],
  ['ETIMEOUT', 'ETIMEOUT', /in time/],
  ['EUNREACHABLE', 'EUNREACHABLE', /cannot be reached/],
])('reports %s of the egress proxy, for a navigation that the guard allows, as %s', async (reason, code, message) => {
  const visit = {
    frame: { failure: () => ({ url: 'https://example.com/', reason }), document: () => undefined },
    guard: { check: async () => ({}) },
    signal: new AbortController().signal,
  }
  const error: unknown = await assertLoaded(visit as unknown as Visit).catch((error: unknown) => error)
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) })
})

describe('an interaction that leads to another document', () => {
  /** Lime without styles and without its banner, which covers the page in red. */
  const NEXT = `<!doctype html><title>Next</title><style>html { background: lime }</style><body style="margin:0">
    <div id="onetrust-consent-sdk" style="position:fixed;inset:0;background:red">We use cookies</div>`
  const button = (script: string, next = '/next') =>
    `<!doctype html><title>First</title><a href="${next}" style="position:absolute;width:90px;height:50px">next</a>
    <button style="position:absolute;top:60px" onclick="location.replace('/next')">next</button>
    <script>${script}</script>`
  const small = { viewport: { width: 300, height: 200, deviceScaleFactor: 1 } }

  let test: TestBrowser
  beforeAll(async () => {
    test = await startTestBrowser({
      '/first': button(''),
      '/before': button('', '/first'),
      '/leaves': button(`setTimeout(() => location.replace('/next'), 700)`),
      '/shows': button(`setTimeout(() => location.assign('/shown-next'), 700)`),
      '/shown-next': `${NEXT}<p id="shown">shown</p>`,
      '/next': NEXT,
      '/between': button('', '/behind-banner'),
      '/behind-banner': `${button('')}<div id="onetrust-consent-sdk" style="position:fixed;inset:0;background:red">We use cookies</div>`,
      '/redirected': button('', '/redirects'),
      '/redirects': '<!doctype html><meta http-equiv="refresh" content="0; url=/next">',
      '/slow': button('', '/slow-next'),
      '/slow-next': `${NEXT}<img src="/image">`,
      '/image': (_, response) => void setTimeout(() => response.end(), 400),
    })
  }, 60_000)
  afterAll(() => test.close())

  it.each<[what: string, path: string, query: Record<string, unknown>]>([
    ['a click on a link', '/first', { click: 'a' }],
    ['a click that runs a script', '/first', { click: 'button' }],
    ['a click on a link that is redirected', '/redirected', { click: 'a' }],
    ['two clicks', '/before', { click: ['a', 'button'] }],
    ['two clicks, of which a banner is in the way', '/between', { click: ['a', 'button'] }],
    ['a script during waitForTimeout', '/leaves', { waitForTimeout: '1500' }],
    ['a script during waitForSelector', '/shows', { waitForSelector: '#shown' }],
    ['a click on a link to a slow page', '/slow', { click: 'a' }],
  ])('hides its banner, and adds the styles to it: %s', async (_, path, query) => {
    const styles = 'html { background: blue !important }'
    const hidden = await test.capture(path, { ...small, ...query, screenshot: { type: 'png' } })
    expect((await pixelAt(hidden.bytes, 250, 150)).slice(0, 3)).toEqual([0, 255, 0])
    const styled = await test.capture(path, { ...small, ...query, styles, screenshot: { type: 'png' } })
    expect(styled.url).toContain('next')
    expect((await pixelAt(styled.bytes, 250, 150)).slice(0, 3)).toEqual([0, 0, 255])
    expect(styled.warnings).toEqual([])
  })
})
