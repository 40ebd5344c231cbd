// Covers the built script with a real service and a real browser: from the tag to the pixels of the screenshot.
import type { Browser, ElementHandle, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { launchChromium } from '../shared/launch-chromium.js'
import { startService, type StartedService } from '../shared/start-service.js'
import { openPage } from './open-page.js'

const target = (colour: string) => `<!doctype html><html lang="en"><head><title>A ${colour} page</title></head>
  <body style="margin:0"><div id="hero" style="width:320px;height:200px;background:${colour}"></div></body></html>`

let site: LocalSite
let elsewhere: LocalSite
let serving: StartedService
let chromium: Browser

beforeAll(async () => {
  site = await localSite({ '/': target('red'), '/changing': target('red') })
  serving = await startService(`--allow-target=${site.host}`, '--log-level=warn')
  const card = (attributes: string) => `<!doctype html><html><head><meta name="viewport" content="width=device-width">
    <link rel="stylesheet" href="${serving.free}/page-preview.css">
    <script async src="${serving.free}/page-preview.js"></script></head>
    <body><main style="width:400px"><page-preview ${attributes}><a href="${site.url}/">The page</a></page-preview><p>after</p></main></body></html>`
  elsewhere = await localSite({
    '/ready': card(`url="${site.url}/" screenshot element="#hero"`),
    '/stale': card(`url="${site.url}/changing" screenshot element="#hero" stale-ttl="0"`),
    '/failing': card(`url="${site.url}/" screenshot element="#nowhere"`),
  })
  chromium = await launchChromium()
})

afterAll(async () => {
  await chromium.close()
  await serving.stop()
  await Promise.all([site.close(), elsewhere.close()])
})

const open = (path: string) => openPage(chromium, `${elsewhere.url}${path}`)

/** The first match inside the card; observers outside of a shadow root see no changes in it, so this polls. */
async function inCard(page: Page, selector: string) {
  const handle = await page.waitForFunction(
    (inner) => document.querySelector('page-preview')?.shadowRoot?.querySelector<HTMLElement>(inner),
    { timeout: 20_000 },
    selector,
  )
  return handle as ElementHandle<HTMLElement>
}

/** The visible screenshot: its attributes, and the colour in its middle. */
async function screenshot(page: Page) {
  const image = (await inCard(page, 'img.pp-image:not([data-pending])')) as ElementHandle<HTMLImageElement>
  return image.evaluate(async (img) => {
    await img.decode()
    const copy = new Image()
    copy.crossOrigin = 'anonymous'
    copy.src = img.currentSrc
    await copy.decode()
    const canvas = new OffscreenCanvas(copy.naturalWidth, copy.naturalHeight)
    const context = canvas.getContext('2d')!
    context.drawImage(copy, 0, 0)
    const [red = 0, green = 0, blue = 0] = context.getImageData(
      copy.naturalWidth / 2,
      copy.naturalHeight / 2,
      1,
      1,
    ).data
    return {
      // The browser may choose one of the smaller variants.
      ratio: Math.round((img.naturalWidth / img.naturalHeight) * 10) / 10,
      attributes: [Number(img.getAttribute('width')), Number(img.getAttribute('height'))],
      alt: img.alt,
      colour: red > 200 && green < 60 ? 'red' : green > 100 && red < 60 ? 'green' : `${red},${green},${blue}`,
    }
  })
}

it('shows a card with its screenshot on a static page of another origin', async () => {
  const { page, complaints, layoutShift } = await open('/ready')
  expect(await screenshot(page)).toEqual({
    ratio: 1.6,
    attributes: [640, 400],
    alt: 'A red page',
    colour: 'red',
  })
  const text = await (await inCard(page, '.pp-body')).evaluate((body) => body.textContent)
  expect(text).toContain('A red page')
  expect(text).toMatch(/640 × 400.*JPG.*k?B/)
  expect(await layoutShift()).toBe(0)
  expect(complaints).toEqual([])
  await page.close()
})

it('shows a stale screenshot at once and swaps in the new one by itself, without a layout shift', async () => {
  const url = `${serving.free}/?${new URLSearchParams({ url: `${site.url}/changing`, element: '#hero', staleTtl: '0' })}`
  expect((await fetch(url)).status).toBe(200)
  site.routes['/changing'] = target('green')

  const { page, complaints, layoutShift } = await open('/stale')
  expect((await screenshot(page)).colour).toBe('red')
  await expect.poll(async () => (await screenshot(page)).colour, { timeout: 20_000 }).toBe('green')
  expect(await layoutShift()).toBe(0)
  expect(complaints).toEqual([])
  await page.close()
})

it('shows a working link and the reason when the screenshot fails', async () => {
  const { page, layoutShift } = await open('/failing')
  const failed = await inCard(page, '[data-status="failed"]')
  expect(await failed.$eval('a.pp-link', (link) => link.href)).toBe(`${site.url}/`)
  // The sentences of failures are loaded when there is one.
  const description = () => failed.$eval('.pp-description', (text) => text.textContent)
  await expect.poll(description).toMatch(/^No preview: .*\.$/)
  expect(await layoutShift()).toBe(0)
  await page.close()
})
