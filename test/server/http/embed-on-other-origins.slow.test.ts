// Covers how browsers treat embedded responses on pages of other origins, which depends on headers of several files.
import type { Browser } from 'puppeteer-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { requestUrl } from '../../../src/query/index.js'
import { localSite, type LocalSite } from '../../local-site.js'
import { launchChromium } from '../../shared/launch-chromium.js'
import { startService, type StartedService } from '../../shared/start-service.js'

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="140" height="70"><style>rect{fill:#f00}</style>
  <rect width="140" height="70"/><script>parent.hacked = true; top.hacked = true</script></svg>`

let target: LocalSite
let otherOrigin: LocalSite
let serving: StartedService
let chromium: Browser

const page = (image: string) => `<!doctype html><html lang="en"><head><title>A &amp; B</title>
  <meta property="og:image" content="${image}"></head><body style="margin:0"><div id="hero" style="width:200px;height:100px;background:red">`
const embedUrl = (path: string, parameters: Record<string, unknown>) =>
  requestUrl({ url: `${target.url}${path}`, ...parameters }, serving.free).replaceAll('&', '&amp;')

beforeAll(async () => {
  const png = await sharp({ create: { width: 128, height: 64, channels: 3, background: '#0a7' } })
    .png()
    .toBuffer()
  const file =
    (bytes: Uint8Array | string, type: string): LocalSite['routes'][string] =>
    (_, response) =>
      void response.writeHead(200, { 'content-type': type }).end(bytes)
  target = await localSite({
    '/': page('/image.png'),
    '/vector': page('/vector.svg'),
    '/image.png': file(png, 'image/png'),
    '/vector.svg': file(SVG, 'image/svg+xml'),
  })
  serving = await startService(`--allow-target=${target.host}`)
  otherOrigin = await localSite({
    '/images': `<img src="${embedUrl('/', { element: '#hero', embed: 'screenshot.url' })}"><img src="${embedUrl('/', { embed: 'image.url' })}"><img src="${embedUrl('/vector', { embed: 'image.url' })}">`,
    '/documents': `<iframe src="${embedUrl('/vector', { embed: 'image.url' })}"></iframe><object data="${embedUrl('/vector', { embed: 'image.url' })}"></object>`,
    '/frame': `<iframe width="400" height="400" src="${embedUrl('/', { element: '#hero', embed: 'html' })}"></iframe>`,
    '/include': (_, response) => {
      const write = async () => {
        const card = await (
          await fetch(embedUrl('/', { element: '#hero', embed: 'html' }).replaceAll('&amp;', '&'))
        ).text()
        const [head, foot] = [
          '<!doctype html><html><head><title>Including page</title></head><body>',
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
  await Promise.all([target.close(), otherOrigin.close()])
})

async function open(path: string) {
  const page = await chromium.newPage()
  await page.goto(`${otherOrigin.url}${path}`, { waitUntil: 'load' })
  return page
}

it('shows embedded images in an <img> on a page of another origin, an SVG too', async () => {
  const page = await open('/images')
  const sizes = await page.evaluate(() =>
    [...document.images].map((image) => [image.naturalWidth, image.naturalHeight]),
  )
  expect(sizes).toEqual([
    [400, 200],
    [128, 64],
    [140, 70],
  ])
  await page.close()
})

it('does not display an SVG as a document in a frame', async () => {
  const page = await open('/documents')
  const frameUrls = page.frames().map((frame) => frame.url())
  expect(frameUrls.filter((url) => url.startsWith(serving.free))).toEqual([])
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  await page.close()
})

it('shows a card that fills its frame on a page of another origin', async () => {
  const page = await open('/frame')
  const frame = page.frames().find((frame) => frame.url().startsWith(serving.free))!
  await frame.waitForFunction(() => [...document.images].every(({ complete }) => complete))
  const card = await frame.evaluate(() => {
    const { left, top, width } = document.querySelector('.page-preview')!.getBoundingClientRect()
    const { naturalWidth } = document.querySelector<HTMLImageElement>('.pp-image')!
    return { left, top, width, naturalWidth, title: document.querySelector('.pp-title')!.textContent }
  })
  expect(card).toEqual({ left: 0, top: 0, width: 400, naturalWidth: 400, title: 'A & B' })
  await page.close()
})

it('shows a card that a server has included in its page, without changing the rest of the page', async () => {
  const page = await open('/include')
  const state = await page.evaluate(() => {
    const { currentSrc, naturalWidth, naturalHeight } = document.querySelector<HTMLImageElement>('.pp-image')!
    return {
      title: document.title,
      lang: document.documentElement.lang,
      margin: getComputedStyle(document.body).margin,
      font: getComputedStyle(document.body).fontFamily.includes('system-ui'),
      file: new URL(currentSrc).search,
      ratio: naturalWidth / naturalHeight,
      isCard: getComputedStyle(document.querySelector('.page-preview')!).display,
      after: document.querySelector('p')!.parentElement === document.body,
    }
  })
  expect(state).toEqual({
    title: 'Including page',
    lang: '',
    margin: '8px',
    font: false,
    // At the density of its `sizes`, so that its natural width is not its width in pixels.
    file: '?type=webp',
    ratio: 2,
    isCard: 'flex',
    after: true,
  })
  await page.close()
})
