// Covers what a capture waits for, and what it does not: settle.ts, network-activity.ts and in-page/read-picture.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localSite, type LocalSite, type Route } from '../../local-site.js'
import { slowCases, slowIt } from '../../shared/slow-cases.js'
import { html } from '../page-state/made-page.js'
import { isLike, pixelAt } from './pixels.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const GREEN = [0, 128, 0]
const SLOW_MS = 1_600
/** Longer than anything that is not visible is waited for. */
const VERY_SLOW_MS = 4_500

const text = '<p>The tide gauge on the old quay was read again at dawn, and the keeper noted it.</p>'
const article = `<h1>Ropes and knots</h1>${text.repeat(3)}`
const plain = `<style>html{background:green}</style>${article}`
const viewport = { width: 400, height: 300, deviceScaleFactor: 1 }
/** Leaves 14 seconds to wait, also on a busy machine: a wait that does not end by itself ends with a warning. */
const query = { viewport, timeout: 20_000, screenshot: { type: 'png' } }

const later =
  (ms: number, type: string, body: string): Route =>
  (_, response) =>
    void setTimeout(() => response.writeHead(200, { 'content-type': type }).end(body), ms)
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300" fill="green"/></svg>'
/** A stream that goes on until the page is closed. */
const stream =
  (type: string): Route =>
  (_, response) => {
    response.writeHead(200, { 'content-type': type }).write('data: 0\n\n')
    const timer = setInterval(() => response.write('data: 1\n\n'), 100)
    response.on('close', () => clearInterval(timer))
  }

/** Pages that show all they have, green, while something else does not arrive. `{other}` is another site. */
const complete: Readonly<Record<string, string>> = {
  'a tracking pixel': `${plain}<img src="/never" width="1" height="1" alt="">`,
  'a tracking pixel with a size in CSS': `${plain}<img src="/never" style="width:1px;height:1px;position:absolute">`,
  'a hidden image': `${plain}<img src="/never" style="display:none">`,
  'an image below the first screen': `${plain}<div style="height:3000px"></div><img src="/never" width="300" height="200">`,
  'a beacon': `${plain}<script>new Image().src = '/never'</script>`,
  'a background below the first screen': `${plain}<div style="height:3000px"></div><div style="height:99px;background:url(/never)"></div>`,
  'an asynchronous script': `${plain}<script async src="/never"></script>`,
  'an asynchronous script of a third party': `${plain}<script async src="{other}/never"></script>`,
  'a script at the end of the body': `${plain}<script src="{other}/never"></script>`,
  'a deferred script': `${plain}<script defer src="/never"></script>`,
  'a font that is swapped in': `${plain}<style>@font-face{font-family:f;src:url(/never);font-display:swap}h1{font-family:f}</style>`,
  'a font that blocks its text': `${plain}<style>@font-face{font-family:f;src:url(/never)}h1{font-family:f}</style>`,
  'a preloaded font': `<link rel="preload" as="font" href="/never" crossorigin>${plain}`,
  'a long poll': `${plain}<script>fetch('/never')</script>`,
  'a long poll of a worker': `${plain}<script>new Worker(URL.createObjectURL(new Blob(['fetch("' + origin + '/never")'])))</script>`,
  'a stream of events': `${plain}<script>new EventSource('/events')</script>`,
  'a stream of events by fetch': `${plain}<script>fetch('/events').then(async ({ body }) => { for await (const _ of body); })</script>`,
  'a stream of text by XMLHttpRequest': `${plain}<script>const r = new XMLHttpRequest(); r.open('GET', '/text'); r.send()</script>`,
  'a webcam below the first screen': `${plain}<div style="height:3000px"></div><img src="/webcam" width="300" height="200">`,
  'a hidden frame': `${plain}<iframe src="/never" width="0" height="0" style="border:0"></iframe>`,
  'a visible frame': `${plain}<iframe src="{other}/never" width="100" height="50"></iframe>`,
  'a style sheet for paper': `<link rel="stylesheet" media="print" href="/never">${plain}`,
  'an icon': `<link rel="icon" href="/never">${plain}`,
  'a clock and a tracking pixel': `${plain}<p id="clock"></p><img src="/never" width="1" height="1"><script>setInterval(() => (clock.textContent = Date()), 100)</script>`,
  'a carousel and a beacon': `${plain}<ul id="list"></ul><script>new Image().src = '/never'; let n = 0; setInterval(() => (list.innerHTML = '<li>slide ' + n++), 300)</script>`,
  polling: `${plain}<script>setInterval(() => fetch('/quick?_=' + Date.now()), 30)</script>`,
}

/** Pages of which a visible part arrives late: red or white without it, green with it. */
const late: Readonly<Record<string, string>> = {
  'a large image': `${article}<img src="/hero" width="400" height="300" style="position:fixed;inset:0">`,
  'a large image whose size is not known': `<body style="margin:0"><img src="/hero"><h1>Ropes</h1>${text.repeat(9)}`,
  'an image with sources': `<body style="margin:0"><picture><source srcset="/hero 1x, /hero?2 2x"><img src="/hero?0" width="400" height="300"></picture>${article}`,
  'an image with sizes': `<body style="margin:0"><img srcset="/hero?w=1,h=2 400w, /hero?w=3,h=4 800w" sizes="100vw" width="400" height="300">${article}`,
  'an image that fades in': `<body style="margin:0"><img src="/hero" width="400" height="300" style="opacity:0" onload="this.style.opacity=1">${article}`,
  'an image that a script inserts': `<body style="margin:0"><div id="root"></div>${article}<script>onload = () => setTimeout(() => (root.innerHTML = '<img src="/hero" width="400" height="300">'), 20)</script>`,
  'an image in a shadow root': `<body style="margin:0"><x-hero></x-hero>${article}<script>customElements.define('x-hero', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<img src="/hero" width="400" height="300">' } })</script>`,
  'a background': `<style>body{margin:0}div{height:300px;background:url("/hero") 0/cover}</style><div><h1>Ropes</h1></div>${article}`,
  'a background before an element': `<style>body{margin:0}div::before{content:"";display:block;height:300px;background:url(/hero)}</style><div></div>${article}`,
  'an image in a drawing': `<body style="margin:0"><svg width="400" height="300"><image href="/hero" width="400" height="300"/></svg>${article}`,
  'the poster of a video': `<body style="margin:0"><video poster="/hero" width="400" height="300"></video>${article}`,
}
/** The same for what is not an image, after a wait that pages often need. */
const slow: Readonly<Record<string, string>> = {
  'content after a fetch': `<body style="background:red"><h1>Ropes and knots</h1><div id="root" class="skeleton" style="height:99px"></div>
    <script>fetch('/data').then((r) => r.text()).then((colour) => { document.body.style.background = colour; root.textContent = 'The story of the quay.' })</script>`,
  'content after a fetch from another site': `<body style="background:red">${article}<script>fetch('{other}/data').then((r) => r.text()).then((colour) => (document.body.style.background = colour))</script>`,
  'content after two fetches': `<body style="background:red"><div id="root" class="loading">Loading…</div><script>
    fetch('/soon').then(() => fetch('/soon?2')).then((r) => r.text()).then(() => { document.body.style.background = 'green'; root.textContent = 'The story of the quay, and of those who kept it.' })</script>`,
  'a style sheet': `<link rel="stylesheet" href="/style">${article}`,
  'an application with an asynchronous script': `<body style="background:red"><div id="root"></div><script async src="/app"></script>`,
  'an application that says that it loads': `<body style="background:red"><div id="root"><div class="spinner"></div><p>Loading…</p></div><script async src="/app"></script>`,
  'an application of another host': `<body style="background:red"><div id="root"></div><script async src="{other}/app"></script>`,
  'a frame': `<style>*{margin:0;border:0}</style><iframe src="/frame" style="position:fixed;width:100vw;height:100vh"></iframe>${article}`,
}
const app = `document.body.style.background = 'green'; root.innerHTML = '<p>The tide gauge on the old quay was read again.</p>'`

let other: LocalSite
let test: TestBrowser
beforeAll(async () => {
  const pages: Record<string, Route> = {}
  const shared: Record<string, Route> = {
    '/never': () => undefined,
    '/app': later(SLOW_MS, 'text/javascript', app),
    '/data': (_, response) =>
      void setTimeout(() => response.writeHead(200, { 'access-control-allow-origin': '*' }).end('green'), SLOW_MS),
  }
  other = await localSite(shared, 0, '127.0.0.2')
  for (const [name, body] of Object.entries({ ...complete, ...late, ...slow }))
    pages[pathOf(name)] = html(name, body.replaceAll('{other}', other.url))
  test = await startTestBrowser(
    {
      ...pages,
      ...shared,
      '/plain': html('Plain', plain),
      '/hero': later(VERY_SLOW_MS, 'image/svg+xml', svg),
      '/soon': later(SLOW_MS / 2, 'text/plain', 'soon'),
      '/style': later(SLOW_MS, 'text/css', 'html{background:green}'),
      '/frame': later(SLOW_MS, 'text/html', '<body style="background:green">'),
      '/quick': later(10, 'application/json', '{}'),
      '/events': stream('text/event-stream'),
      '/text': stream('text/plain'),
      '/webcam': stream('multipart/x-mixed-replace; boundary=x'),
      '/open': (_, response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).write(html('Open', plain)),
    },
    { concurrency: 12, allowTargets: [other.host] },
  )
  await test.capture('/plain', query)
}, 60_000)
afterAll(async () => {
  await test.close()
  await other.close()
})

function pathOf(name: string): string {
  return `/${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`
}

async function expectGreen(path: string, options: object = {}): Promise<void> {
  const { bytes, warnings } = await test.capture(path, { ...query, ...options })
  const pixel = await pixelAt(bytes, 390, 290)
  expect({ warnings, isGreen: isLike(pixel, GREEN), pixel }).toMatchObject({ warnings: [], isGreen: true })
}

describe('a page that shows all it has is captured without a wait for', () => {
  const names = Object.keys(complete)
  const plainNames = [
    'a tracking pixel',
    'a beacon',
    'an asynchronous script',
    'a long poll',
    'a script at the end of the body',
  ]
  it.concurrent.each([...plainNames, ...slowCases(...names.filter((name) => !plainNames.includes(name)))])(
    '%s',
    (name) => expectGreen(pathOf(name)),
  )

  it.concurrent('the end of its document', () => expectGreen('/open'))
})

describe('a page is captured only with what it shows in the viewport:', () => {
  const plainNames = ['a large image', 'an image that a script inserts', 'a background']
  it.concurrent.each([...plainNames, ...slowCases(...Object.keys(late).filter((name) => !plainNames.includes(name)))])(
    '%s',
    (name) => expectGreen(pathOf(name)),
  )

  it.concurrent.each([
    'content after a fetch',
    'an application with an asynchronous script',
    ...slowCases(...Object.keys(slow).slice(1)),
  ])('%s', (name) => expectGreen(pathOf(name)))
})

slowIt.concurrent.each<[string, object]>([
  ['the whole page', { screenshot: { type: 'png', fullPage: true } }],
  ['an element', { element: '#deep', screenshot: { type: 'png' } }],
  ['a clip', { screenshot: { type: 'png', clip: '0,0,400,1300' } }],
])('an image below the first screen is waited for if it is in the screenshot, of %s', async (_, options) => {
  test.site.routes['/deep'] = html(
    'Deep',
    `<body style="margin:0"><div style="height:1000px">${article}</div><img id="deep" src="/hero" width="400" height="300" style="display:block">`,
  )
  const { bytes } = await test.capture('/deep', { ...query, ...options })
  expect(isLike(await pixelAt(bytes, 390, -10), GREEN)).toBe(true)
})

/** Pages that Chromium does not paint, because it waits for what never arrives. */
const unpainted: Readonly<Record<string, string>> = {
  'a style sheet': `<link rel="stylesheet" href="/never">${plain}`,
  'a style sheet of a third party before a script': `<link rel="stylesheet" href="{other}/never"><script>1</script>${plain}`,
  'an import of a style sheet': `<style>@import url(/never);</style>${plain}`,
  'a script in the head': `<script src="{other}/never"></script>${plain}`,
  'a script in the middle of the body': `${article}<script src="{other}/never"></script><style>html{background:green}</style>${article.repeat(2)}`,
  'two scripts in the head': `<script src="/never"></script><script src="{other}/never"></script>${plain}`,
}

slowIt.concurrent.each(Object.keys(unpainted))('a page is loaded again without %s that never arrives', async (name) => {
  test.site.routes[`/unpainted${pathOf(name)}`] = html(name, unpainted[name]!.replaceAll('{other}', other.url))
  const { bytes, warnings } = await test.capture(`/unpainted${pathOf(name)}`, { ...query, timeout: 25_000 })
  expect(isLike(await pixelAt(bytes, 390, 290), GREEN)).toBe(true)
  const sentence = expect.stringMatching(/^The page was loaded without "http:.*\/never", which did not arrive\.$/)
  expect(warnings).toEqual(name.startsWith('two') ? [sentence, sentence] : [sentence])
})

slowIt.concurrent.each([true, false])(
  'what a page was loaded without is named if the next document needs it: %s',
  async (isNeeded) => {
    const [path, next] = [`/goes-on-${isNeeded}`, `/next-${isNeeded}`]
    const sheet = `<link rel="stylesheet" href="/never?${isNeeded}">`
    const goOn = `<script>addEventListener('scroll', () => location.assign('${next}'), { once: true })</script>`
    test.site.routes[path] = html('First', `${sheet}${plain}<div style="height:900px"></div>${goOn}`)
    test.site.routes[next] = html('Next', `${isNeeded ? sheet : ''}${plain}`)
    const options = { ...query, timeout: 25_000, screenshot: { type: 'png', fullPage: true } }
    const { url, warnings } = await test.capture(path, options)
    expect(url).toBe(`${test.site.url}${next}`)
    expect(warnings).toEqual(isNeeded ? [expect.stringContaining(`/never?true", which did not arrive`)] : [])
  },
)

slowIt.concurrent('a page without time for that is captured as far as it is painted', async () => {
  test.site.routes['/unpainted'] = html('Unpainted', unpainted['a style sheet']!)
  const { warnings } = await test.capture('/unpainted', { ...query, timeout: 5_000 })
  expect(warnings).toEqual([expect.stringContaining('still loading')])
})

describe('waitUntil=networkidle ends', () => {
  slowIt.concurrent.each(['a stream of events by fetch', 'polling'])('although the page goes on with %s', (name) =>
    expectGreen(pathOf(name), { waitUntil: 'networkidle' }),
  )
})

slowIt.concurrent.each([
  ['load', 'a tracking pixel'],
  ['networkidle', 'a long poll'],
  ['domcontentloaded', 'a script at the end of the body'],
])('waitUntil=%s ends before the time is up, and a warning says why: %s', async (waitUntil, name) => {
  const { warnings } = await test.capture(pathOf(name), { ...query, timeout: 25_000, waitUntil })
  expect(warnings).toEqual([
    expect.stringMatching(new RegExp(`had changed for 8 seconds, before waitUntil=${waitUntil}`)),
  ])
})

slowIt.concurrent('a visible image that never arrives is given up, and a warning names it', async () => {
  test.site.routes['/stuck'] = html('Stuck', `<img src="/never" width="100" height="50">${plain}`)
  const { warnings } = await test.capture('/stuck', { ...query, timeout: 25_000 })
  expect(warnings).toEqual([
    `An image did not arrive, so the result shows the page without it: "${test.site.url}/never".`,
  ])
})
