import type { Browser } from 'puppeteer-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { requestUrl } from '../../../src/query/index.js'
import { localSite, type LocalSite } from '../../local-site.js'
import { launchChromium } from '../../shared/launch-chromium.js'
import { startService, type StartedService } from '../../shared/start-service.js'

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><style>rect{fill:#f00}</style>
  <rect width="40" height="20"/><script>parent.hacked = true; top.hacked = true</script></svg>`

let target: LocalSite
let elsewhere: LocalSite
let serving: StartedService
let chromium: Browser

const page = (image: string) => `<!doctype html><html lang="en"><head><title>A &amp; B</title>
  <meta property="og:image" content="${image}"></head><body style="margin:0"><div id="hero" style="width:200px;height:100px;background:red">`
const embed = (path: string, words: Record<string, unknown>) =>
  requestUrl({ url: `${target.url}${path}`, ...words }, serving.free).replaceAll('&', '&amp;')

beforeAll(async () => {
  const picture = await sharp({ create: { width: 64, height: 32, channels: 3, background: '#0a7' } })
    .png()
    .toBuffer()
  const file =
    (bytes: Uint8Array | string, type: string): LocalSite['routes'][string] =>
    (_, response) =>
      void response.writeHead(200, { 'content-type': type }).end(bytes)
  target = await localSite({
    '/': page('/picture.png'),
    '/vector': page('/vector.svg'),
    '/picture.png': file(picture, 'image/png'),
    '/vector.svg': file(SVG, 'image/svg+xml'),
  })
  serving = await startService(`--allow-target=${target.host}`)
  elsewhere = await localSite({
    '/pictures': `<img src="${embed('/', { element: '#hero', embed: 'screenshot.url' })}"><img src="${embed('/', { embed: 'image.url' })}"><img src="${embed('/vector', { embed: 'image.url' })}">`,
    '/documents': `<iframe src="${embed('/vector', { embed: 'image.url' })}"></iframe><object data="${embed('/vector', { embed: 'image.url' })}"></object>`,
    '/frame': `<iframe width="400" height="400" src="${embed('/', { element: '#hero', embed: 'html' })}"></iframe>`,
    '/include': (_, response) => {
      const write = async () => {
        const card = await (
          await fetch(embed('/', { element: '#hero', embed: 'html' }).replaceAll('&amp;', '&'))
        ).text()
        const [head, foot] = [
          '<!doctype html><html><head><title>My own</title></head><body>',
          '<p>after</p></body></html>',
        ]
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`${head}${card}${foot}`)
      }
      write().catch((error: unknown) => response.destroy(error as Error))
    },
  })
  chromium = await launchChromium()
})

afterAll(async () => {
  await chromium.close()
  await serving.stop()
  await Promise.all([target.close(), elsewhere.close()])
})

async function open(path: string) {
  const page = await chromium.newPage()
  await page.goto(`${elsewhere.url}${path}`, { waitUntil: 'load' })
  return page
}

it('shows embedded pictures in an <img> on a page of another origin, an SVG too', async () => {
  const page = await open('/pictures')
  const sizes = await page.evaluate(() =>
    [...document.images].map((image) => [image.naturalWidth, image.naturalHeight]),
  )
  expect(sizes).toEqual([
    [400, 200],
    [64, 32],
    [40, 20],
  ])
  await page.close()
})

it('gives no document to a frame that asks for an SVG', async () => {
  const page = await open('/documents')
  const addresses = page.frames().map((frame) => frame.url())
  expect(addresses.filter((address) => address.startsWith(serving.free))).toEqual([])
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  await page.close()
})

it('fills a frame on a page of another origin with a card', async () => {
  const page = await open('/frame')
  const frame = page.frames().find((frame) => frame.url().startsWith(serving.free))!
  await frame.waitForFunction(() => [...document.images].every(({ complete }) => complete))
  const seen = await frame.evaluate(() => {
    const { left, top, width } = document.querySelector('.page-preview')!.getBoundingClientRect()
    const { naturalWidth } = document.querySelector<HTMLImageElement>('.pp-image')!
    return { left, top, width, naturalWidth, title: document.querySelector('.pp-title')!.textContent }
  })
  expect(seen).toEqual({ left: 0, top: 0, width: 400, naturalWidth: 400, title: 'A & B' })
  await page.close()
})

it('can be put into a page by its server, and changes nothing else there', async () => {
  const page = await open('/include')
  const seen = await page.evaluate(() => ({
    title: document.title,
    lang: document.documentElement.lang,
    margin: getComputedStyle(document.body).margin,
    font: getComputedStyle(document.body).fontFamily.includes('system-ui'),
    naturalWidth: document.querySelector<HTMLImageElement>('.pp-image')!.naturalWidth,
    isCard: getComputedStyle(document.querySelector('.page-preview')!).display,
    after: document.querySelector('p')!.parentElement === document.body,
  }))
  expect(seen).toEqual({
    title: 'My own',
    lang: '',
    margin: '8px',
    font: false,
    naturalWidth: 400,
    isCard: 'flex',
    after: true,
  })
  await page.close()
})
