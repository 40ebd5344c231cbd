// Covers the time until the image of a preview is there, on a slow network with an empty browser cache.
import { chromium, type Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { startBuiltService, type Child } from './children.js'
import { imageUrl, startNetworkPages, type NetworkPages } from './network-pages.js'

interface Load {
  /** Milliseconds from navigation to the first frame with the whole image, fully opaque. */
  shownMs: number
  requests: string[]
}

const ROUNDS = 7
/** Slow 4G. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}

/** Largest time, relative to a page with a plain image. */
const LIMITS: Readonly<Record<string, readonly [reference: string, ratio: number]>> = {
  PagePreview: ['img, full size', 0.85],
  'PagePreview priority': ['img, full size', 0.75],
  'PagePreview eager': ['img, full size', 0.75],
  'PagePreview embed': ['img by React', 0.55],
  'PagePreview embed priority': ['img by React', 0.55],
  PageScreenshot: ['img by React', 0.55],
}
const PAGES = [
  'script tag',
  'img, full size',
  'img, 640 pixels',
  'img by React',
  ...Object.keys(LIMITS),
  '@microlink/react',
]

describe('the first image on Slow 4G, compared with plain images', () => {
  let site: LocalSite
  let service: Child
  let pages: NetworkPages
  let browser: Browser
  beforeAll(async () => {
    site = await localSite({ '/': colourfulPage() })
    service = await startBuiltService([`--allow-target=${site.host}`])
    const sources = { service: service.url, target: `${site.url}/` }
    const full = await fetch(imageUrl(sources))
    const small = await fetch(`${imageUrl(sources)}&variant.width=640`, { headers: { accept: 'image/webp' } })
    console.log(`${full.headers.get('content-length')} bytes, of ${small.headers.get('content-length')} in 640 pixels`)
    pages = await startNetworkPages(sources)
    // @microlink/react requests its logo from the internet.
    const args = ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1']
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args })
  })
  afterAll(async () => {
    await browser.close()
    await pages.stop()
    await service.stop()
    await site.close()
  })

  async function load(page: string): Promise<Load> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const tab = await context.newPage()
    const devtools = await context.newCDPSession(tab)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', NETWORK)
    await tab.goto(pages.urlOf(page), { waitUntil: 'commit' })
    const result = await tab.evaluate(UNTIL_SHOWN)
    await context.close()
    return result
  }

  it('is there sooner than a plain image in full size', async () => {
    const loads = new Map<string, Load[]>()
    // The first load produces what the service caches.
    for (const page of PAGES) await load(page)
    for (let round = 0; round < ROUNDS; round++)
      for (const page of PAGES) loads.set(page, [...(loads.get(page) ?? []), await load(page)])
    const medians = new Map([...loads].map(([page, ofPage]) => [page, medianOf(ofPage)]))
    const ratioOf = (page: string, reference: string) => medians.get(page)!.shownMs / medians.get(reference)!.shownMs
    console.table(
      Object.fromEntries(
        PAGES.map((page) => {
          const [reference = 'img, full size', atMost] = LIMITS[page] ?? []
          const ratio = Number(ratioOf(page, reference).toFixed(2))
          return [page, { ms: Math.round(medians.get(page)!.shownMs), ratio, 'at most': atMost, of: reference }]
        }),
      ),
    )
    for (const page of PAGES) console.log([page, ...medians.get(page)!.requests].join('\n  '))
    for (const [page, [reference, atMost]] of Object.entries(LIMITS))
      expect.soft(ratioOf(page, reference), page).toBeLessThanOrEqual(atMost)
  })
})

const medianOf = (loads: readonly Load[]) =>
  loads.toSorted((a, b) => a.shownMs - b.shownMs)[Math.floor(loads.length / 2)]!

/** Text in many colours, whose screenshot has about as many bytes as the screenshot of a page with photos. */
function colourfulPage(): string {
  const words = Array.from({ length: 90 }, (_, at) => {
    const style = `color:hsl(${(at * 47) % 360} 70% 40%);background:hsl(${(at * 31) % 360} 60% 92%)`
    return `<span style="${style}">tide ${(at * 7919) % 9973}</span> `
  })
  return `<!doctype html><title>Tides</title><body style="font:20px/1.5 sans-serif">${words.join('')}`
}

/** In the page: checks each frame. */
const UNTIL_SHOWN = async (): Promise<Load> => {
  const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const hasLoaded = (background: string) => {
    const [, url] = /^url\("(.+)"\)$/.exec(background) ?? []
    return url !== undefined && performance.getEntriesByName(url).length > 0
  }
  const isShown = () => {
    const root = document.querySelector('page-preview')?.shadowRoot ?? document
    // @microlink/react shows a background.
    const background = document.querySelector('.microlink_card__media_image')
    if (background) return hasLoaded(getComputedStyle(background).backgroundImage)
    const image = root.querySelector<HTMLImageElement>('img:not([aria-hidden] > *)')
    return image?.complete && image.naturalWidth > 0 && getComputedStyle(image).opacity === '1'
  }
  while (!isShown()) await nextFrame()
  const shownMs = await nextFrame()
  const requests = performance
    .getEntriesByType('resource')
    .map(({ startTime, duration, name }) => `${Math.round(startTime)}–${Math.round(startTime + duration)} ${name}`)
  return { shownMs, requests }
}
