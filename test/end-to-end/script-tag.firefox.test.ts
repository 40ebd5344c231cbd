// Covers the built script in Firefox.
import { launch, type Browser, type Page } from 'puppeteer-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { startService, type StartedService } from '../shared/start-service.js'

const target = (colour: string) => `<!doctype html><html lang="en"><head><title>A ${colour} page</title></head>
  <body style="margin:0"><div id="hero" style="width:320px;height:200px;background:${colour}"></div></body></html>`

let site: LocalSite
let elsewhere: LocalSite
let serving: StartedService
let firefox: Browser
let page: Page

beforeAll(async () => {
  site = await localSite({ '/': target('red'), '/changing': target('red') })
  elsewhere = await localSite({})
  serving = await startService(`--allow-target=${site.host}`, '--log-level=warn')
  firefox = await launch({ browser: 'firefox', executablePath: process.env.FIREFOX_PATH! })
})
beforeEach(async () => {
  page = await firefox.newPage()
  return () => page.close()
})
afterAll(async () => {
  await firefox.close()
  await serving.stop()
  await Promise.all([site.close(), elsewhere.close()])
})

/** Opens a page of another origin under the strictest policy that it can have; its violations are collected in `violations`. */
async function visit(body: string): Promise<void> {
  const collectViolations = `window.violations = []; document.addEventListener('securitypolicyviolation', (event) =>
    violations.push(event.violatedDirective + ' ' + event.blockedURI))`
  elsewhere.routes['/collect-violations.js'] = (_, response) =>
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(collectViolations)
  elsewhere.routes['/'] = (_, response) =>
    response.writeHead(200, {
      'content-type': 'text/html',
      'content-security-policy': `default-src 'none'; script-src 'self' ${serving.free}; style-src ${serving.free};
          img-src ${serving.free}; connect-src ${serving.free}; require-trusted-types-for 'script'`.replace(
        /\s+/g,
        ' ',
      ),
    }).end(`<!doctype html><html lang="en"><head><title>Mine</title><script src="/collect-violations.js"></script>
        <link rel="icon" href="${serving.free}/none.ico">
        <link rel="stylesheet" href="${serving.free}/page-preview.css">
        <script async src="${serving.free}/page-preview.js"></script></head><body>${body}</body></html>`)
  await page.goto(`${elsewhere.url}/`)
}

const violations = () => page.evaluate(() => Reflect.get(window, 'violations') as unknown)

/** The content of the card, and the colour in the middle of its screenshot. */
const card = () =>
  page.evaluate(async () => {
    const shadow = document.querySelector('page-preview')?.shadowRoot
    const root = shadow?.querySelector<HTMLElement>('.page-preview')
    const image = shadow?.querySelector<HTMLImageElement>('img.pp-image:not([data-pending])')
    const texts = {
      state: root?.dataset.status,
      layout: root?.dataset.layout,
      link: shadow?.querySelector<HTMLAnchorElement>('a.pp-link')?.href,
      title: shadow?.querySelector('.pp-title')?.textContent,
    }
    if (!image?.complete || !image.naturalWidth) return { ...texts, colour: undefined }
    const copy = new Image()
    copy.crossOrigin = 'anonymous'
    copy.src = image.currentSrc
    await copy.decode()
    const context = new OffscreenCanvas(copy.naturalWidth, copy.naturalHeight).getContext('2d')!
    context.drawImage(copy, 0, 0)
    const [red = 0, green = 0] = context.getImageData(copy.naturalWidth / 2, copy.naturalHeight / 2, 1, 1).data
    return { ...texts, colour: red > 200 && green < 60 ? 'red' : red < 60 && green > 100 ? 'green' : `${red},${green}` }
  })

const preview = (attributes: string, path = '/') =>
  `<page-preview url="${site.url}${path}" ${attributes}><a href="${site.url}${path}">The page</a></page-preview>`

const untilCard = (expected: object) => expect.poll(card, { timeout: 20_000 }).toMatchObject(expected)

it('shows a card with its screenshot under a strict policy', async () => {
  await visit(preview('screenshot element="#hero"'))
  await untilCard({ state: 'ready', layout: 'card', link: `${site.url}/`, title: 'A red page', colour: 'red' })
  expect(await violations()).toEqual([])
})

it('replaces a marked link by its preview, and opens a hover preview', async () => {
  await visit(
    `<p><a href="${site.url}/" data-page-preview data-screenshot data-element="#hero">The page</a></p>
    <p><a id="hovered" href="${site.url}/" data-page-preview="hover">Another</a></p>`,
  )
  await untilCard({ state: 'ready', link: `${site.url}/`, colour: 'red' })
  await page.hover('#hovered')
  // Not `waitForFunction`: it evaluates strings, which the policy forbids.
  const isShown = () =>
    page.evaluate(() =>
      [...document.body.children].some((element) => element.shadowRoot?.querySelector('[data-status=ready]')),
    )
  await expect.poll(isShown, { timeout: 20_000 }).toBe(true)
  expect(await page.$eval('#hovered', (link) => link.textContent)).toBe('Another')
  expect(await violations()).toEqual([])
})

it('opens a hover preview on the first long press of a finger, and does not follow the link', async () => {
  await visit(`<p><a href="${site.url}/" data-page-preview="hover">The page</a></p>`)
  await expect.poll(() => page.evaluate(() => 'PagePreview' in window)).toBe(true)
  const { x, y } = await page.$eval('a', (link) => link.getBoundingClientRect().toJSON() as DOMRect)
  const finger = await page.touchscreen.touchStart(x + 5, y + 5)
  const isOpen = () =>
    page.evaluate(() =>
      [...document.body.children].some((element) =>
        element.shadowRoot?.querySelector('.pp-popover:not([hidden]) [data-status=ready]'),
      ),
    )
  await expect.poll(isOpen, { timeout: 20_000 }).toBe(true)
  await finger.end()
  expect(await isOpen()).toBe(true)
  expect(page.url()).toBe(`${elsewhere.url}/`)
  expect(await violations()).toEqual([])
})

it('shows a working link when the screenshot fails', async () => {
  await visit(preview('screenshot element="#nowhere"'))
  await untilCard({ state: 'failed', link: `${site.url}/` })
  expect(await violations()).toEqual([])
})

it('renders again when its attributes change', async () => {
  await visit(preview('screenshot element="#hero"'))
  await untilCard({ state: 'ready', layout: 'card' })
  await page.$eval('page-preview', (element) => element.setAttribute('layout', 'row'))
  await untilCard({ state: 'ready', layout: 'row', colour: 'red' })
})

it('replaces a stale screenshot on an open page by itself', async () => {
  const url = `${serving.free}/?${new URLSearchParams({ url: `${site.url}/changing`, element: '#hero', staleTtl: '0' })}`
  expect((await fetch(url)).status).toBe(200)
  site.routes['/changing'] = target('green')
  await visit(preview('screenshot element="#hero" stale-ttl="0"', '/changing'))
  await untilCard({ colour: 'red' })
  await untilCard({ colour: 'green', title: 'A green page' })
  expect(await violations()).toEqual([])
})
