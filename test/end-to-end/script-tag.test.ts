import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, type Browser, type ElementHandle, type Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readServeOptions, serve, type Serving } from '../../src/server/index.js'
import { localSite, type LocalSite } from '../local-site.js'

const target = (colour: string) => `<!doctype html><html lang="en"><head><title>A ${colour} page</title></head>
  <body style="margin:0"><div id="hero" style="width:320px;height:200px;background:${colour}"></div></body></html>`

let dataDir: string
let site: LocalSite
let elsewhere: LocalSite
let serving: Serving
let chromium: Browser

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'page-preview-e2e-'))
  site = await localSite({ '/': target('red'), '/changing': target('red') })
  serving = await serve(
    readServeOptions(
      ['--port=0', '--pro-port=0', `--data-dir=${dataDir}`, `--allow-target=${site.host}`, '--log-level=warn'],
      {},
    ),
  )
  const card = (attributes: string) => `<!doctype html><html><head><meta name="viewport" content="width=device-width">
    <link rel="stylesheet" href="${serving.free}/page-preview.css">
    <script async src="${serving.free}/page-preview.js"></script></head>
    <body><main style="width:400px"><page-preview ${attributes}><a href="${site.url}/">The page</a></page-preview><p>after</p></main></body></html>`
  elsewhere = await localSite({
    '/ready': card(`url="${site.url}/" screenshot element="#hero"`),
    '/stale': card(`url="${site.url}/changing" screenshot element="#hero" stale-ttl="0"`),
    '/failing': card(`url="${site.url}/" screenshot element="#nowhere"`),
  })
  chromium = await launch({
    executablePath: process.env.CHROMIUM_PATH!,
    args: ['--no-sandbox', '--disable-background-networking', '--lang=en-US'],
  })
})

afterAll(async () => {
  await chromium.close()
  await serving.stop()
  await Promise.all([site.close(), elsewhere.close()])
  await rm(dataDir, { recursive: true, force: true })
})

/** Opens a page that counts its layout shifts from the start, and collects what it complains of. */
async function open(path: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await chromium.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await page.evaluateOnNewDocument(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(`${elsewhere.url}${path}`)
  return { page, complaints }
}

const layoutShift = (page: Page) =>
  page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.reduce((sum, shift) => sum + shift, 0))

/** The first such element inside the card; a shadow root tells no observer outside of it, so every frame looks. */
async function inCard(page: Page, selector: string) {
  const handle = await page.waitForFunction(
    (inner) => document.querySelector('page-preview')?.shadowRoot?.querySelector<HTMLElement>(inner),
    { timeout: 20_000 },
    selector,
  )
  return handle as ElementHandle<HTMLElement>
}

/** What somebody sees of the picture: its facts, and the colour of its middle. */
async function picture(page: Page) {
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
      // One of the smaller variants that the service offers may do for the place it has.
      ratio: Math.round((img.naturalWidth / img.naturalHeight) * 10) / 10,
      attributes: [Number(img.getAttribute('width')), Number(img.getAttribute('height'))],
      alt: img.alt,
      colour: red > 200 && green < 60 ? 'red' : green > 100 && red < 60 ? 'green' : `${red},${green},${blue}`,
    }
  })
}

it('shows a card with a real screenshot on a static page of another origin', async () => {
  const { page, complaints } = await open('/ready')
  expect(await picture(page)).toEqual({
    ratio: 1.6,
    attributes: [640, 400],
    alt: expect.stringContaining('127.0.0.1'),
    colour: 'red',
  })
  const text = await (await inCard(page, '.pp-body')).evaluate((body) => body.textContent)
  expect(text).toContain('A red page')
  expect(text).toMatch(/640 × 400.*JPG.*k?B/)
  expect(await layoutShift(page)).toBe(0)
  expect(complaints).toEqual([])
  await page.close()
})

it('gives the old picture at once and changes an open page to the new one by itself, with nothing moving', async () => {
  const url = `${serving.free}/?${new URLSearchParams({ url: `${site.url}/changing`, element: '#hero', staleTtl: '0' })}`
  expect((await fetch(url)).status).toBe(200)
  site.routes['/changing'] = target('green')

  const { page, complaints } = await open('/stale')
  expect((await picture(page)).colour).toBe('red')
  await expect.poll(async () => (await picture(page)).colour, { timeout: 20_000 }).toBe('green')
  expect(await layoutShift(page)).toBe(0)
  expect(complaints).toEqual([])
  await page.close()
})

it('shows a working link and the reason where there is no picture', async () => {
  const { page } = await open('/failing')
  const failed = await inCard(page, '[data-state="failed"]')
  expect(await failed.$eval('a.pp-link', (link) => link.href)).toBe(`${site.url}/`)
  expect(await failed.$eval('.pp-description', (text) => text.textContent)).toMatch(/^No preview: .*\.$/)
  expect(await layoutShift(page)).toBe(0)
  await page.close()
})
