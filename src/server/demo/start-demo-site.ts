import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { arabicPage } from './arabic-page.js'
import { articlePage } from './article-page.js'
import { logo } from './brand.js'
import { clockPage } from './clock-page.js'
import { createBirdCall } from './create-bird-call.js'
import { landingPage } from './landing-page.js'
import { missingPage } from './missing-page.js'
import { nightScene } from './night-scene.js'
import { pricingPage } from './pricing-page.js'
import { renderPngs, type PngRequest } from './render-pngs.js'
import { renderSitePage } from './render-site-page.js'
import { dawnPalette, duskPalette, midnightPalette, sunsetPalette } from './scene-palettes.js'
import { siteStyles } from './site-styles.js'

export interface DemoSite {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  url: string
  /** `127.0.0.1:PORT`, for the allowed targets of the network guard. */
  host: string
  /** Its pages, as examples for the playground. */
  examples: { label: string; url: string; lang?: string }[]
  close(): Promise<void>
}

interface Site {
  files: ReadonlyMap<string, File>
  url: string
}

interface File {
  /** The media type. */
  type: string
  content: string | Uint8Array
}

const HTML = 'text/html; charset=utf-8'

const PAGES = new Map([landingPage, articlePage, pricingPage, clockPage, arabicPage].map((page) => [page.path, page]))

/**
 * Starts the sample site of `--demo`, which needs no internet.
 *
 * @param port    Default: a free one.
 * @throws        {Error} `EADDRINUSE` when the port is taken.
 */
export async function startDemoSite({ port = 0 }: { port?: number } = {}): Promise<DemoSite> {
  const files = await createFiles()
  let url = ''
  const server = createServer((request, response) => respond(request, response, { files, url }))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  url = `http://${host}`
  return {
    url,
    host,
    examples: [
      { label: 'Landing page', url: `${url}/` },
      { label: 'Article', url: `${url}/article` },
      { label: 'Pricing', url: `${url}/pricing` },
      { label: 'Clock', url: `${url}/clock` },
      { label: 'Arabic', url: `${url}/arabic`, lang: 'ar' },
    ],
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function respond(request: IncomingMessage, response: ServerResponse, { files, url }: Site): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end()
    return
  }
  const path = request.url?.split('?')[0] ?? '/'
  const file = files.get(path)
  const page = PAGES.get(path)
  const { type, content } = file ?? { type: HTML, content: renderSitePage(page ?? missingPage, url, new Date()) }
  const bytes = Buffer.from(content)
  response.writeHead(file || page ? 200 : 404, {
    'content-type': type,
    'content-length': bytes.length,
    'cache-control': file ? 'public, max-age=3600' : 'no-store',
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

async function createFiles(): Promise<Map<string, File>> {
  const socialImages = {
    home: nightScene({ palette: duskPalette, seed: 11 }),
    article: nightScene({ palette: midnightPalette, seed: 29, peak: 0.38, moon: { x: 640, y: 150, radius: 70 } }),
    pricing: nightScene({ palette: dawnPalette, seed: 5, peak: 0.55, moon: { x: 240, y: 190, radius: 48 } }),
    clock: nightScene({ palette: midnightPalette, seed: 83, peak: 0.85, moon: { x: 300, y: 110, radius: 40 } }),
    arabic: nightScene({ palette: sunsetPalette, seed: 47, peak: 0.3, moon: { x: 330, y: 150, radius: 58 } }),
  }
  return new Map<string, File>([
    ['/site.css', { type: 'text/css; charset=utf-8', content: siteStyles }],
    ['/favicon.svg', { type: 'image/svg+xml', content: logo }],
    ['/sounds/nightjar.wav', { type: 'audio/wav', content: createBirdCall() }],
    ...(await createPngs({
      '/favicon.png': { svg: logo, width: 64 },
      '/apple-touch-icon.png': { svg: logo, width: 180 },
      ...Object.fromEntries(
        Object.entries(socialImages).map(([name, svg]) => [`/social/${name}.png`, { svg, width: 1200 }]),
      ),
    })),
  ])
}

async function createPngs(drawings: Record<string, PngRequest[number]>): Promise<[path: string, File][]> {
  const images = await renderPngs(Object.values(drawings))
  return Object.keys(drawings).map((path, index) => [path, { type: 'image/png', content: images[index]! }])
}
