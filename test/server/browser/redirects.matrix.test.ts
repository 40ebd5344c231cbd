// Covers pages that go on to another document by script while they are captured: last-document.ts and main-frame.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { html } from '../page-state/made-page.js'
import { isSlowRun, slowIt } from '../../shared/slow-cases.js'
import { isLike, pixelAt } from './pixels.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const RED = [255, 0, 0]
const GREEN = [0, 128, 0]
const words = '<p>The tide gauge on the old quay was read again at dawn.</p>'.repeat(4)
const first = (head: string) => html('Opening', `<style>html{background:red}</style>${words}${head}`)
const END = html('The page', `<style>html{background:green}</style><h1 id="end">The page</h1>${words}`)

/** How a page goes on, `ms` milliseconds after its document has begun. */
const ways: Readonly<Record<string, (ms: number) => string>> = {
  'location.href': (ms) => `<script>setTimeout(() => (location.href = '/end'), ${ms})</script>`,
  'location.replace': (ms) => `<script>setTimeout(() => location.replace('/end'), ${ms})</script>`,
  'location.assign to a server that redirects': (ms) =>
    `<script>setTimeout(() => location.assign('/moved'), ${ms})</script>`,
  'a form': (ms) =>
    `<form method="post" action="/end"><input name="a"></form><script>setTimeout(() => document.forms[0].submit(), ${ms})</script>`,
  'a click on a link': (ms) =>
    `<a href="/end">on</a><script>setTimeout(() => document.querySelector('a').click(), ${ms})</script>`,
  'meta refresh': (ms) =>
    `<script>setTimeout(() => document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="refresh" content="0;url=/end">'), ${ms})</script>`,
  'the history and a reload': (ms) =>
    `<script>setTimeout(() => { history.replaceState(null, '', '/end'); location.reload() }, ${ms})</script>`,
  'several hops': (ms) => `<script>setTimeout(() => location.replace('/hop?n=3&ms=${ms}'), ${ms})</script>`,
  'an anchor first': (ms) =>
    `<script>setTimeout(() => (location.hash = 'a'), ${ms / 2}); setTimeout(() => location.replace('/end'), ${ms})</script>`,
  'a document that is written anew': (ms) =>
    `<script>setTimeout(() => { document.open(); document.write('<script>location.replace("/end")<\\/script>'); document.close() }, ${ms})</script>`,
}

const viewport = { width: 300, height: 200, deviceScaleFactor: 1 }
const small = { viewport, timeout: 12_000 }
const screenshots = [
  { screenshot: { type: 'png' } },
  { screenshot: { type: 'png', fullPage: true } },
  { screenshot: { type: 'webp' }, animations: true },
  { screenshot: { type: 'png' }, adblock: false },
]

let test: TestBrowser
beforeAll(async () => {
  test = await startTestBrowser(
    {
      '/go': (request, response) => {
        const { searchParams } = new URL(request.url!, 'http://site.test')
        const goOn = ways[searchParams.get('way')!]!
        response.writeHead(200, { 'content-type': 'text/html' }).end(first(goOn(Number(searchParams.get('ms')))))
      },
      '/hop': (request, response) => {
        const { searchParams } = new URL(request.url!, 'http://site.test')
        const [hops, ms] = [Number(searchParams.get('n')), Number(searchParams.get('ms'))]
        const next = hops > 0 ? `/hop?n=${hops - 1}&ms=${ms}` : '/end'
        const script = `<script>setTimeout(() => location.replace('${next}'), ${ms / 2})</script>`
        response.writeHead(200, { 'content-type': 'text/html' }).end(first(script))
      },
      '/moved': (_, response) => void response.writeHead(302, { location: '/end' }).end(),
      '/end': END,
      '/reloads': first('<script>onload = () => location.reload()</script>'),
      '/refreshes': html('Scores', `<meta http-equiv="refresh" content="1">${words}`),
      '/hangs': first(`<script>setTimeout(() => location.replace('/never'), 90)</script>`),
      '/never': () => undefined,
    },
    { concurrency: 6 },
  )
  await test.capture('/end', small)
}, 60_000)
afterAll(() => test.close())

/** Whether the screenshot shows the document that the result names. */
async function isConsistent(way: string, ms: number, query: object): Promise<boolean> {
  const { url, bytes } = await test.capture(`/go?way=${encodeURIComponent(way)}&ms=${ms}`, { ...small, ...query })
  const colour = new URL(url).pathname === '/end' ? GREEN : RED
  return isLike(await pixelAt(bytes, 295, 195), colour)
}

describe('a page that goes on to another document is captured, by', () => {
  const delaysMs = isSlowRun ? Array.from({ length: 20 }, (_, i) => 20 + i * 20) : [90]
  it.each(Object.keys(ways))('%s', { timeout: 120_000 }, async (way) => {
    const captures = delaysMs.map((ms, i) => [ms, screenshots[i % screenshots.length]!] as const)
    for (const [ms, query] of captures) expect([ms, await isConsistent(way, ms, query)]).toEqual([ms, true])
  })
})

it('an element is looked for in the document that comes next', async () => {
  const query = { ...small, element: '#end', screenshot: { type: 'png' } }
  for (const ms of [60, 120]) {
    const { url } = await test.capture(`/go?way=location.replace&ms=${ms}`, query)
    expect(new URL(url).pathname).toBe('/end')
  }
})

it('a page that reloads as soon as it has loaded fails, and the error says why', async () => {
  await expect(test.capture('/reloads', small)).rejects.toMatchObject({
    code: 'EMAXREDIRECTS',
    message: expect.stringMatching(/\d+ documents by script, the last of them .*\/reloads/),
  })
})

it('a page that refreshes itself every second is captured', async () => {
  expect(await test.capture('/refreshes', small)).toMatchObject({ statusCode: 200, warnings: [] })
})

slowIt.concurrent.each([0, 10])(
  'a page is captured with a warning that goes on to a server without a response after %d ms',
  async (ms) => {
    test.site.routes[`/hangs-${ms}`] = first(`<script>setTimeout(() => location.replace('/never'), ${ms})</script>`)
    const { bytes, warnings } = await test.capture(`/hangs-${ms}`, { ...small, screenshot: { type: 'png' } })
    expect(isLike(await pixelAt(bytes, 295, 195), RED)).toBe(true)
    expect(warnings).toEqual([expect.stringMatching(/still loading|did not respond/)])
  },
)

slowIt.concurrent('a page has 10 seconds for a navigation, whatever the timeout', async () => {
  const { warnings } = await test.capture('/hangs', { ...small, timeout: 28_000 })
  expect(warnings).toEqual([expect.stringMatching(/went on to http:.*\/never, which did not respond/)])
})
