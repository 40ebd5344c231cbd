// Covers the history of pages with a real browser: what changes without anybody changing the page is never reported, and the rest is.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PageChange, PageHistory, PageResponse } from '../../src/query/index.js'
import { localSite, type LocalSite, type Route } from '../local-site.js'
import { startService, type StartedService } from '../shared/start-service.js'

const CAPTURES = 30
const TIMEOUT_MS = 300_000

const advert = (colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="80"><rect width="300" height="80" fill="${colour}"/></svg>`
/** Each with another structure, and partly with another height. */
const ADVERTS = [
  '<img src="/red.svg" alt="">',
  '<div style="background:#fc0;height:120px"><b>Ropes</b> and more</div>',
  '<a href="/nets"><img src="/blue.svg" alt=""></a><p>Nets for everybody</p>',
]

/** What somebody may change on the page. */
const CONTENT = {
  headline: 'Tides of the north',
  lead: 'When the water comes and goes, <em>hour by hour</em>.',
  rows: ['Aber: 2.4 m', 'Bude: 3.4 m', 'Cork: 4.4 m'],
  picture: '/teal.svg',
  colour: '#234',
  bars: [20, 60, 40],
}
type Content = typeof CONTENT

/** A page with everything that is another one each time: adverts, clocks, dates, ages, numbers of visits, words in random order. */
function render({ headline, lead, rows, picture, colour, bars }: Content, visit: number): string {
  const at = Math.floor(Math.random() * ADVERTS.length)
  return `<!doctype html><html lang="en"><title>Harbour</title>
<style>
  body { font: 15px sans-serif; margin: 10px } header, .bars { display: flex; gap: 6px }
  .advert { width: 300px } .digit { border: 1px solid #ccc; padding: 2px } .bars div { width: 20px; background: teal } h1 { color: ${colour} }
</style>
<header><span id="time"></span><div id="parts"><span class="digit"></span>:<span class="digit"></span>:<span class="digit"></span></div>
  <div id="boxes" style="display:flex"><div class="digit"></div><div class="digit"></div><div class="digit"></div></div></header>
<div class="advert">${ADVERTS[at]}</div>
<h1>${headline}</h1><p class="lead">${lead}</p><img id="picture" src="${picture}" alt="" width="300" height="80">
<ul>${rows.map((row) => `<li>${row}</li>`).join('')}</ul>
<div class="bars">${bars.map((height) => `<div style="height:${height}px"></div>`).join('')}</div>
<p>Updated <time id="age"></time>. Served at ${new Date().toISOString()}.</p>
<p id="today"></p><p class="visits">Visit ${visit}</p><iframe src="http://localhost:${new URL(site.url).port}/frame" width="300" height="40"></iframe>
<canvas width="120" height="20"></canvas>
<script>
  const two = (value) => String(value).padStart(2, '0')
  const show = () => {
    const now = new Date()
    const parts = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two)
    time.textContent = parts.slice(0, 2).join(':')
    for (const id of ['parts', 'boxes'])
      document.querySelectorAll('#' + id + ' .digit').forEach((digit, index) => (digit.textContent = parts[index]))
    age.textContent = Math.floor((Date.now() - Date.UTC(2026, 0, 31)) / 60_000) + ' minutes ago'
    today.textContent = now.toDateString()
  }
  show()
  setInterval(show, 250)
  const canvas = document.querySelector('canvas').getContext('2d')
  canvas.fillRect(0, 0, Math.random() * 120, 20)
</script>`
}

let content: Content
let visits = 0
let site: LocalSite
let service: StartedService
beforeAll(async () => {
  content = CONTENT
  const svg =
    (colour: string): Route =>
    (_, response) =>
      void response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(advert(colour))
  site = await localSite({
    '/': (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(render(content, ++visits)),
    '/frame': (_, response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${Math.random()}</p>`),
    '/red.svg': svg('red'),
    '/blue.svg': svg('blue'),
    '/teal.svg': svg('teal'),
    '/navy.svg': svg('navy'),
  })
  service = await startService(
    '--free-history',
    `--allow-target=${site.host}`,
    `--allow-target=${site.host.replace('127.0.0.1', 'localhost')}`,
  )
})
afterAll(() => Promise.all([service.stop(), site.close()]))

async function capture(): Promise<PageHistory> {
  const parameters = {
    history: '20',
    force: 'true',
    'viewport.width': '640',
    'viewport.height': '800',
    'viewport.deviceScaleFactor': '1',
  }
  const query = new URLSearchParams({ url: `${site.url}/`, ...parameters })
  const response = await fetch(`${service.free}/?${query}`)
  const { data, warnings } = (await response.json()) as PageResponse
  expect(warnings).toBeUndefined()
  return data.history!
}

const describeChange = ({ kind, element, text, textBefore }: PageChange) =>
  [kind, element, textBefore, text].filter(Boolean).join(' | ')

describe('a page that is another one at each visit', () => {
  it(`has not changed in ${CAPTURES} captures`, { timeout: TIMEOUT_MS }, async () => {
    for (let count = 0; count < CAPTURES; count++) {
      const { versions, ignored } = await capture()
      expect(
        versions.flatMap(({ changes }) => changes.map(describeChange)),
        ignored.join(),
      ).toEqual([])
    }
  })

  it.each<{ what: string; change: Partial<Content>; found: (string | RegExp)[] }>([
    {
      what: 'its headline',
      change: { headline: 'Floods of the south' },
      found: [/^changed \| \S.*h1 \| Tides of the north \| Floods of the south$/],
    },
    {
      what: 'a word of its text',
      change: { lead: 'When the water comes and goes, <em>day by day</em>.' },
      found: [/^changed \| .*hour by hour\. \| .*day by day\.$/],
    },
    { what: 'a new row', change: { rows: ['Zero: 0.1 m', ...CONTENT.rows] }, found: [/^added \| .* \| Zero: 0\.1 m$/] },
    { what: 'a row less', change: { rows: CONTENT.rows.slice(1) }, found: [/^removed \| .* \| Aber: 2\.4 m$/] },
    { what: 'its picture', change: { picture: '/navy.svg' }, found: ['changed | #picture'] },
    { what: 'the colour of its headline', change: { colour: '#d00' }, found: [/^changed \| .*h1 \| Tides/] },
    { what: 'a bar of its chart', change: { bars: [20, 35, 40] }, found: [/^changed \| .*div:nth-of-type\(2\)$/] },
  ])('has changed in $what alone', { timeout: TIMEOUT_MS }, async ({ change, found }) => {
    content = { ...CONTENT, ...change }
    const [version] = (await capture()).versions
    expect(version!.changes.map(describeChange)).toEqual(
      found.map((each) => (typeof each === 'string' ? each : expect.stringMatching(each))),
    )
    content = CONTENT
    await capture()
  })
})
