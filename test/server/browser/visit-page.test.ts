import type { Browser, CDPSession } from 'puppeteer-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Visit } from '../../../src/server/browser/visit.js'
import { assertLoaded, waitForQuiet } from '../../../src/server/browser/visit-page.js'
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
