// Covers the built script on a whole page: strict policies, integrity, memory, storage, printing.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { launchChromium } from '../shared/launch-chromium.js'
import { startService, type StartedService } from '../shared/start-service.js'
import { axeViolations } from './axe.js'
import { openPage, type OpenPage } from './open-page.js'
import { states } from './script-stage.js'

const PREVIEWS = 50
const LINKS = 10

let site: LocalSite
let elsewhere: LocalSite
let serving: StartedService
/** A service whose daily limit is used up, and one that never responds. */
let limited: StartedService
let hanging: LocalSite
let chromium: Browser
let open: OpenPage | undefined

const closedPort = async () => {
  const gone = await localSite({})
  await gone.close()
  return gone.url
}

/** A page of another origin, under the strictest policy that allows images of the service. */
const strictPage = (body: string, { script = '', others = '' } = {}) => ({
  headers: {
    'content-type': 'text/html',
    'content-security-policy': [
      "default-src 'none'",
      ...['script-src', 'style-src', 'img-src', 'connect-src'].map(
        (directive) => `${directive} ${serving.free} ${others}`,
      ),
      "require-trusted-types-for 'script'",
    ].join('; '),
  },
  body: `<!doctype html><html lang="en"><head><title>A page</title><meta name="viewport" content="width=device-width">
    <link rel="icon" href="${serving.free}/none.ico">
    <link rel="stylesheet" href="${serving.free}/page-preview.css">
    <script async src="${serving.free}/page-preview.js" ${script}></script></head><body>${body}</body></html>`,
})

const target = (at: number) => `${site.url}/page-${at}`
const preview = (at: number) =>
  `<page-preview url="${target(at)}" screenshot><a href="${target(at)}">Page ${at}</a></page-preview>`

beforeAll(async () => {
  site = await localSite({})
  for (let at = 0; at < PREVIEWS + LINKS; at++)
    site.routes[`/page-${at}`] = `<!doctype html><title>Page ${at}</title><h1>${at}</h1>`
  const target = `--allow-target=${site.host}`
  serving = await startService(target)
  limited = await startService(target, '--free-daily-limit=0')
  hanging = await localSite({ '/': () => undefined })
  elsewhere = await localSite({})
  chromium = await launchChromium('--js-flags=--expose-gc')
})
afterEach(async () => {
  await open?.page.close()
  open = undefined
})
afterAll(async () => {
  await chromium.close()
  await Promise.all([serving.stop(), limited.stop()])
  await Promise.all([site.close(), elsewhere.close(), hanging.close()])
})

const visit = async (html: { headers: Record<string, string>; body: string }) => {
  elsewhere.routes['/'] = (_, response) => response.writeHead(200, html.headers).end(html.body)
  return (open = await openPage(chromium, `${elsewhere.url}/`))
}
/** The files of the script by name; the part with the given export has been changed. */
async function tampered(name: string): Promise<Map<string, string>> {
  const files = (await readdir('dist')).filter((file) => /^page-preview(\.[0-9a-f]{8})?\.(js|css)$/.test(file))
  const texts = await Promise.all(files.map((file) => readFile(join('dist', file), 'utf8')))
  return new Map(
    files.map((file, at) => {
      const isIt = new RegExp(`export\\{[^}]*\\b${name}\\b`).test(texts[at]!)
      return [file, isIt ? `window.tampered = true;${texts[at]}` : texts[at]!]
    }),
  )
}
const untilReady = (page: Page, count: number) =>
  expect
    .poll(async () => (await states(page)).filter((state) => state === 'ready').length, { timeout: 25_000 })
    .toBeGreaterThanOrEqual(count)

it('requests only pages near the viewport, once each, and shifts nothing on a page of sixty', async () => {
  const cards = Array.from({ length: PREVIEWS }, (_, at) => `<div>${preview(at % 2 ? at - 1 : at)}</div>`).join('')
  const links = Array.from(
    { length: LINKS },
    (_, at) => `<p><a href="${target(PREVIEWS + at)}" data-page-preview data-screenshot>Link ${at}</a></p>`,
  ).join('')
  const { page, requests, complaints, layoutShift } = await visit(strictPage(`<main>${cards}${links}</main>`))
  const { innerHeight, tops } = await page.evaluate(() => ({
    innerHeight: window.innerHeight,
    tops: [...document.querySelectorAll('page-preview')].map((element) => element.getBoundingClientRect().top),
  }))
  const inSight = tops.filter((top) => top < innerHeight + 600).length
  const distinct = Math.ceil(inSight / 2)
  await untilReady(page, inSight)
  const asked = requests.filter(({ searchParams }) => !searchParams.has('embed')).map(String)

  expect(asked).toHaveLength(distinct)
  expect(new Set(asked).size).toBe(distinct)
  expect(distinct).toBeLessThan(10)

  expect(complaints).toEqual([])
  expect(await axeViolations(page, 'main')).toEqual([])

  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await expect.poll(async () => (await states(page)).at(-1), { timeout: 20_000 }).toBe('ready')
  expect((await page.$$('page-preview')).length).toBeGreaterThan(PREVIEWS)
  expect(await layoutShift()).toBe(0)
})

it.each([
  ['down', closedPort, 'failed'],
  ['out of requests for today', async () => limited.free, 'failed'],
  ['slow', async () => hanging.url, 'loading'],
])('keeps the links and logs one message when the service is %s', async (_, place, state) => {
  const others = await place()
  const { page, layoutShift } = await visit(
    strictPage(preview(0) + preview(2), { script: `data-endpoint="${others}"`, others }),
  )
  const messages: string[] = []
  page.on('console', (message) => message.text().startsWith('page-preview') && messages.push(message.text()))
  // Drops late messages of the previous page.
  page.on('framenavigated', () => messages.splice(0))
  await page.reload()
  await expect.poll(() => states(page), { timeout: 20_000 }).toEqual([state, state])
  const links = await page.$$eval('page-preview', (all) =>
    all.map(({ shadowRoot }) => shadowRoot?.querySelector<HTMLAnchorElement>('a.pp-link')?.href),
  )
  expect(links).toEqual([target(0), target(2)])
  expect(await layoutShift()).toBe(0)
  expect(messages).toEqual(state === 'failed' ? [expect.stringMatching(/^page-preview: .* links still work\.$/)] : [])
})

it.each([
  ['sends requests', 'startPreviews'],
  ['mounts previews', 'startElement'],
  ['explains failures', 'failureParts'],
])('runs no part with another hash than the built one: the part that %s', async (_, name) => {
  const files = await tampered(name)
  expect([...files.values()].filter((text) => text.startsWith('window.tampered'))).toHaveLength(1)
  for (const [file, text] of files)
    elsewhere.routes[`/${file}`] = (_, response) =>
      response.writeHead(200, { 'content-type': file.endsWith('.js') ? 'text/javascript' : 'text/css' }).end(text)
  const { page } = await visit({
    headers: { 'content-type': 'text/html' },
    body: `<!doctype html><script src="/page-preview.js" data-endpoint="${limited.free}"></script>${preview(0)}`,
  })
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  await page.reload()
  await expect.poll(() => said.join()).toMatch(/integrity/)
  await expect.poll(() => said.join()).toMatch(/cannot start|links still work/)
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(await page.evaluate(() => Reflect.get(window, 'tampered') as unknown)).toBeUndefined()
  expect(await page.$eval('page-preview a', (link) => link.href)).toBe(target(0))
  expect(await states(page)).toEqual([name === 'failureParts' ? 'failed' : null])
})

it('runs once, however often and in whichever way it is loaded', async () => {
  const { page, requests } = await visit({
    headers: { 'content-type': 'text/html' },
    body: `<!doctype html><script type="module" src="${serving.free}/page-preview.js"></script>
      <script async src="${serving.free}/page-preview.js?again"></script>${preview(0)}`,
  })
  await untilReady(page, 1)
  expect(requests.filter(({ searchParams }) => !searchParams.has('embed'))).toHaveLength(1)
  const parts = await page.$$eval('link[rel=modulepreload]', (links) => links.map(({ href }) => href))
  expect(parts).toHaveLength(2)
  expect(await page.evaluate(() => Object.keys(window).filter((name) => /preview/i.test(name)))).toEqual([
    'PagePreview',
  ])
})

it('leaves a page to the version that was loaded first, and logs that', async () => {
  const { page } = await visit({
    headers: { 'content-type': 'text/html' },
    body: `<!doctype html><script>window.PagePreview = { version: '0.0.1' }</script>
      <script src="${serving.free}/page-preview.js"></script>${preview(0)}`,
  })
  const messages: string[] = []
  page.on('console', (message) => messages.push(message.text()))
  await page.reload()
  expect(messages).toEqual(['page-preview cannot start: version 0.0.1 is already on this page'])
})

const storedData = (page: Page) =>
  page.evaluate(async () => ({
    storage: [...Object.keys(localStorage), ...Object.keys(sessionStorage)],
    cookies: document.cookie,
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
  }))

it('stores nothing in the browser by default', async () => {
  const { page } = await visit(strictPage(preview(0)))
  await untilReady(page, 1)
  await page.goto(`${elsewhere.url}/`)
  expect(await storedData(page)).toEqual({ storage: [], cookies: '', databases: 0, caches: 0 })
})

it('restores stored results without a request on the next visit', async () => {
  const { page, requests, complaints } = await visit(strictPage(preview(0), { script: 'data-persist' }))
  await untilReady(page, 1)
  const asked = requests.length
  await expect.poll(async () => (await storedData(page)).storage).toEqual(['page-preview'])
  await page.reload()
  await untilReady(page, 1)
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(requests.filter(({ searchParams }) => searchParams.get('url') === target(0))).toHaveLength(asked)
  await page.evaluate(() => localStorage.setItem('page-preview', '{"no'))
  await page.reload()
  await untilReady(page, 1)
  expect(complaints).toEqual([])
  await page.evaluate(() => localStorage.clear())
})

it.each([
  ['an element', `<page-preview><a href="ADDRESS">Words</a></page-preview>`],
  ['a marked link', `<p><a href="ADDRESS" data-page-preview>Words</a></p>`],
])('keeps the focus on the link of %s when its preview is mounted', async (_, html) => {
  const { body } = strictPage(html.replace('ADDRESS', target(0)))
  const { page } = await visit({ headers: { 'content-type': 'text/html' }, body: body.replace(/<script.*script>/, '') })
  await page.focus('a')
  await page.addScriptTag({ url: `${serving.free}/page-preview.js` })
  await untilReady(page, 1)
  await expect
    .poll(() => page.$eval('page-preview', ({ shadowRoot }) => shadowRoot?.activeElement?.getAttribute('href')))
    .toBe(target(0))
})

it('leaks nothing of a thousand previews that were added, moved, changed and removed', async () => {
  const { page } = await visit(strictPage('<main></main><aside></aside>'))
  await page.evaluate(
    (url) => window.PagePreview && 'render' in window.PagePreview && void window.PagePreview.render('aside', { url }),
    target(0),
  )
  await untilReady(page, 1)
  const renderAndRemove = (times: number) =>
    page.evaluate(
      async (count, urls) => {
        const [main, aside] = [document.querySelector('main')!, document.querySelector('aside')!]
        for (let at = 0; at < count; at++) {
          const element = document.createElement('page-preview')
          element.setAttribute('url', String(urls[at % urls.length]))
          main.append(element)
          if (at % 10 === 0) await new Promise(requestAnimationFrame)
          aside.append(element)
          element.setAttribute('layout', at % 2 ? 'row' : 'image')
          element.setAttribute('url', String(urls[(at + 1) % urls.length]))
          if (at % 10 === 0) await new Promise(requestAnimationFrame)
          element.remove()
        }
      },
      times,
      [target(0), target(1), target(2)],
    )
  const session = await page.createCDPSession()
  const left = async () => {
    for (let times = 0; times < 3; times++) {
      await session.send('HeapProfiler.collectGarbage')
      await page.evaluate(() => new Promise(requestAnimationFrame))
    }
    const { JSHeapUsedSize = 0, Nodes = 0, JSEventListeners = 0 } = await page.metrics()
    return { JSHeapUsedSize, Nodes, JSEventListeners }
  }
  await renderAndRemove(200)
  const before = await left()
  await renderAndRemove(1_000)
  const after = await left()
  expect(after.JSHeapUsedSize - before.JSHeapUsedSize).toBeLessThan(300_000)
  expect(after.Nodes - before.Nodes).toBeLessThan(50)
  expect(after.JSEventListeners - before.JSEventListeners).toBeLessThan(10)
})

it('is restored by back navigation, and complete when the page is printed', async () => {
  const { page, requests } = await visit(
    strictPage(
      `${preview(0)}<div id="tall"></div>${preview(4)}`.replace('<div id="tall"></div>', '<p>…</p>'.repeat(200)),
    ),
  )
  await untilReady(page, 1)
  expect((await states(page))[1]).toBe('loading')
  await page.goto(`${serving.free}/healthz`)
  await page.goBack()
  await untilReady(page, 1)
  await page.pdf()
  await untilReady(page, 2)
  expect(requests.some(({ searchParams }) => searchParams.get('url') === target(4))).toBe(true)
})
