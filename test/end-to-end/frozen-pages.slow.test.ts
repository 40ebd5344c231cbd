// Covers pages that freezeHtml has written, with and without the built script, in a browser.
import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { beforeAll, expect, it } from 'vitest'
import { freezeHtml, scriptFiles, type FrozenImage, type FrozenPreview } from '../../src/static/freeze/index.js'
import type { Route } from '../local-site.js'
import { DATA, PREVIEW } from '../static/freeze/freeze-test.js'
import { scriptStage, states } from './script-stage.js'

const stage = scriptStage({ '/page': '<!doctype html><title>A live page</title><h1>A page</h1>' })

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  js: 'text/javascript',
  json: 'application/json',
  webp: 'image/webp',
  jpg: 'image/jpeg',
}
const file =
  (name: string, body: string | Buffer): Route =>
  (_, response) =>
    response.writeHead(200, { 'content-type': TYPES[name.replace(/.*\./, '')] ?? 'image/png' }).end(body)

/** What the pages of these tests show, in one light and one dark colour. */
let preview: FrozenPreview
let images: Record<string, Buffer>
beforeAll(async () => {
  images = {}
  const imageOf = async (name: string, background: string): Promise<FrozenImage> => {
    const files = await Promise.all(
      [320, 640].flatMap((width) =>
        (['webp', 'jpg'] as const).map(async (type) => {
          const picture = sharp({ create: { width, height: width * 0.625, channels: 3, background } })
          images[`${name}.${width}.${type}`] = await (type === 'webp' ? picture.webp() : picture.jpeg()).toBuffer()
          return { name: `${name}.${width}.${type}`, type, width }
        }),
      ),
    )
    return { width: 2560, height: 1600, files }
  }
  preview = {
    ...PREVIEW,
    data: { ...DATA, logo: null },
    icon: undefined,
    image: { ...(await imageOf('light', '#f8e0a0')), isScreenshot: true },
    darkImage: await imageOf('dark', '#203050'),
  }
})

interface Visit {
  /** The start tag of the script, where the page has one. */
  script?: string
  policy?: string
  hover?: string
}

/** Opens the frozen form of a page, which has its own folder of assets. */
async function visit(body: string, { script = '', policy = "default-src 'self'", hover }: Visit = {}) {
  const { elsewhere } = stage()
  const page = `<!doctype html><html><head><title>A page</title><link rel="icon" href="/icon.png"></head><body><main>${body}</main>${script}</body></html>`
  const { html, files } = await freezeHtml(page, { resolve: () => Promise.resolve(preview), assets: 'assets/', hover })
  for (const [name, bytes] of Object.entries(images)) elsewhere.routes[`/assets/${name}`] = file(name, bytes)
  for (const { name, text } of files) elsewhere.routes[`/assets/${name}`] = file(name, text)
  for (const { name, path } of await scriptFiles()) elsewhere.routes[`/assets/${name}`] = file(name, readFileSync(path))
  elsewhere.routes['/icon.png'] = file(
    'icon.png',
    await sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
      .png()
      .toBuffer(),
  )
  elsewhere.routes['/'] = (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy }).end(html)
  elsewhere.requests.length = 0
  return { html, ...(await stage().open()) }
}

const element = (layout: string) =>
  `<page-preview url="${stage().site.url}/page" screenshot layout="${layout}"><a href="${stage().site.url}/page">My words</a></page-preview>`
const ALL = () =>
  `${['card', 'row', 'image'].map(element).join('')}<p>In ${element('inline')} and ${element('card')}</p>`
/** Where each card is, in the element or in its shadow root. */
const boxes = (page: Awaited<ReturnType<typeof visit>>['page']) =>
  page.$$eval('page-preview', (all) =>
    all.map((one) => JSON.stringify((one.shadowRoot ?? one).querySelector('.page-preview')?.getBoundingClientRect())),
  )

it('shows cards without script, from the own site alone', async () => {
  const { page, complaints, layoutShift, html } = await visit(ALL())
  expect(html).not.toContain('<script')
  await expect
    .poll(() => page.$$eval('img.pp-image', (all) => all.every((image) => image.complete && image.naturalWidth > 0)))
    .toBe(true)
  expect(await page.$$eval('.pp-image', (all) => all.map((image) => (image as HTMLImageElement).currentSrc))).toEqual(
    Array.from({ length: 4 }, () => expect.stringMatching(/assets\/light\.(320|640)\.webp$/)),
  )
  expect(await page.$$eval('.pp-media', (all) => all.every(({ clientHeight }) => clientHeight > 50))).toBe(true)
  expect(complaints).toEqual([])
  expect(await layoutShift()).toBe(0)
})

it('shows the picture of the colour scheme of the reader', async () => {
  const { page } = await visit(element('card'))
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }])
  await expect
    .poll(() => page.$eval('.pp-image', (image) => (image as HTMLImageElement).currentSrc))
    .toContain('assets/dark.')
})

it('can be read without its stylesheet', async () => {
  const { page } = await visit(ALL(), { policy: "default-src 'self'; style-src 'none'" })
  expect(await page.$eval('body', ({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true)
  expect(await page.$eval('article', ({ innerText }) => innerText.split(/\n+/).map((line) => line.trim()))).toEqual([
    DATA.title,
    DATA.description,
    expect.stringContaining('127.0.0.1'),
  ])
})

it('stays as it is beside the script tag, which loads and requests nothing', async () => {
  const { serving, elsewhere } = stage()
  const script = `<script async src="${serving.free}/page-preview.js"></script>`
  const { page, requests, layoutShift } = await visit(ALL(), { script, policy: `default-src 'self' ${serving.free}` })
  const before = await boxes(page)
  await page.waitForFunction(() => 'version' in (window.PagePreview ?? {}))
  await page.waitForNetworkIdle()
  expect(await states(page)).toEqual(Array.from({ length: 5 }, () => null))
  expect(requests).toEqual([])
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  expect(loaded.filter((url) => !url.startsWith(elsewhere.url))).toEqual([`${serving.free}/page-preview.js`])
  expect(await boxes(page)).toEqual(before)
  expect(await layoutShift()).toBe(0)
})

it.each(['data-endpoint', 'configure'])('becomes live where %s names a service, without moving', async (way) => {
  const { serving } = stage()
  const named = way === 'data-endpoint' ? `data-endpoint="${serving.free}"` : ''
  const script = `<script async src="${serving.free}/page-preview.js" ${named}></script>`
  const policy = `default-src 'self' ${serving.free}`
  const { page, complaints, layoutShift } = await visit(ALL(), { script, policy })
  // All previews are near the viewport then.
  await page.setViewport({ width: 1280, height: 2400 })
  await page.waitForFunction(() => 'version' in (window.PagePreview ?? {}))
  const before = way === 'data-endpoint' ? undefined : await boxes(page)
  if (way === 'configure')
    await page.evaluate(
      (endpoint) =>
        window.PagePreview && 'configure' in window.PagePreview && window.PagePreview.configure({ endpoint }),
      serving.free,
    )
  await expect.poll(() => states(page), { timeout: 25_000 }).toEqual(Array.from({ length: 5 }, () => 'ready'))
  expect(
    await page.$eval('page-preview', ({ shadowRoot }) => shadowRoot?.querySelector('.pp-title')?.textContent),
  ).toBe('A live page')
  expect(
    await page.$$eval(
      'page-preview',
      (all) => all[3]?.shadowRoot?.querySelector('.page-preview')?.lastChild?.textContent,
    ),
  ).toBe('My words')
  if (before) expect(await boxes(page)).toEqual(before)
  expect(complaints).toEqual([])
  expect(await layoutShift()).toBe(0)
})

it('shows hover previews from files of the site alone', async () => {
  const body = `<p><a href="${stage().site.url}/page">A page</a> and <a href="#here">here</a></p>`
  const { page, complaints, requests, html } = await visit(body, { hover: 'p a' })
  expect(html.match(/<script/g)).toHaveLength(1)
  await page.waitForFunction(() => 'version' in (window.PagePreview ?? {}))
  await page.hover('p a')
  const shown = () =>
    page.evaluate(() => {
      const [card] = [...document.body.children].flatMap(
        ({ shadowRoot }) => shadowRoot?.querySelector('.pp-popover:popover-open') ?? [],
      )
      const image = card?.querySelector<HTMLImageElement>('img.pp-image')
      return [card?.querySelector('.pp-title')?.textContent, image?.naturalWidth]
    })
  await expect.poll(shown, { timeout: 15_000 }).toEqual([DATA.title, 640])
  expect(complaints).toEqual([])
  expect(requests).toEqual([])
})
