// Covers pages that go on to another document by script while they are captured: last-document.ts and main-frame.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { html } from '../page-state/made-page.js'
import { isSlowRun, slowCases, slowIt } from '../../shared/slow-cases.js'
import { isLike, pixelAt } from './pixels.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const RED = [255, 0, 0]
const GREEN = [0, 128, 0]
const words = '<p>The tide gauge on the old quay was read again at dawn.</p>'.repeat(4)
const first = (head: string) => html('Opening', `<style>html{background:red}</style>${words}${head}`)
const green = `<style>html{background:green}</style>${words}`
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
      '/file': (_, response) =>
        void setTimeout(() => {
          const headers = { 'content-type': 'application/zip', 'content-disposition': 'attachment' }
          response.writeHead(200, headers).end('zip')
        }, 700),
      '/nothing': (_, response) => void setTimeout(() => response.writeHead(204).end(), 700),
      '/clicked': '',
      '/scores': html('Scores', `<meta http-equiv="refresh" content="3">${green}`),
      '/counter': (_, response) => {
        const headers = { 'content-type': 'text/html', 'set-cookie': 'seen=1' }
        response.writeHead(200, headers).end(first(`<meta http-equiv="refresh" content="2">`))
        test.site.routes['/counter'] = END
      },
      '/by-header': (_, response) =>
        void response.writeHead(200, { 'content-type': 'text/html', refresh: '4; url=/end' }).end(first('')),
      '/soon': first('<meta http-equiv="refresh" content="2; url=/end">'),
      '/in-five': first('<meta http-equiv="refresh" content="5; url=/end">'),
      '/by-script': first(`<script>document.write('<meta http-equiv="refresh" content="3; url=/end">')</script>`),
      '/to-read': html('Story', `<meta http-equiv="refresh" content="10; url=/hop?n=0">${green}`),
      '/to-file': html('Download', `<meta http-equiv="refresh" content="3; url=/file.zip?mirror=2">${green}`),
      '/hangs': first(`<script>onload = () => setTimeout(() => location.replace('/never'))</script>`),
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

describe('a page is captured with what was done on it once, although meanwhile', () => {
  it.concurrent.each<[what: string, script: string]>([
    ['a download begins', `location.assign('/file')`],
    ...slowCases<[string, string]>(
      ['a link to a file is clicked', `document.querySelector('a').click()`],
      ['a form leads to a file', `document.forms[0].submit()`],
      ['a response without a document comes', `location.assign('/nothing')`],
      ['a navigation is stopped', `location.assign('/never'); setTimeout(() => stop(), 700)`],
      ['two downloads begin', `location.assign('/file'); setTimeout(() => location.assign('/file?2'), 900)`],
    ),
  ])('%s', async (what, script) => {
    const path = `/${what.replaceAll(' ', '-')}`
    test.site.routes[path] = html(
      'Files',
      `<button onclick="fetch('/clicked?${path}')">more</button>${green}<a href="/file">file</a><form action="/file"></form>
      <div style="height:900px"></div><script>addEventListener('scroll', () => { ${script} }, { once: true })</script>`,
    )
    const screenshot = { type: 'png', fullPage: true }
    const { warnings, bytes } = await test.capture(path, { ...small, click: 'button', screenshot })
    expect(warnings).toEqual([])
    expect(isLike(await pixelAt(bytes, 295, 5), GREEN)).toBe(true)
    expect(test.site.requests.filter((request) => request === `GET /clicked?${path}`)).toHaveLength(1)
  })
})

describe('a refresh is waited for if it is followed for the metadata too:', () => {
  it.concurrent.each<[what: string, path: string, end: string]>([
    ['after two seconds', '/soon', '/end'],
    ['of a page that is to be read for longer', '/to-read', '/to-read'],
    ...slowCases<[string, string, string]>(
      ['after five seconds', '/in-five', '/end'],
      ['by a header', '/by-header', '/end'],
      ['that a script writes', '/by-script', '/end'],
      ['of a page that sets a cookie for itself', '/counter', '/counter'],
      ['of a page that loads itself again', '/scores', '/scores'],
      ['to a file', '/to-file', '/to-file'],
    ),
  ])('%s', async (_, path, end) => {
    const { url, bytes, warnings } = await test.capture(path, {
      ...small,
      timeout: 20_000,
      screenshot: { type: 'png' },
    })
    expect([new URL(url).pathname, warnings]).toEqual([end, []])
    expect(isLike(await pixelAt(bytes, 295, 195), GREEN)).toBe(true)
  })

  it.concurrent('of a page that has no time for it, which is captured with a warning', async () => {
    const { url, warnings } = await test.capture('/in-five', { ...small, timeout: 5_000 })
    expect(new URL(url).pathname).toBe('/in-five')
    expect(warnings).toEqual([expect.stringContaining('still loading')])
  })
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
  expect(warnings).toEqual([expect.stringMatching(/went on to "http:.*\/never", which did not respond/)])
})
