import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { arabicPage } from './arabic-page.js'
import { articlePage } from './article-page.js'
import { dawn, dusk, logo, midnight, oasis } from './brand.js'
import { churr } from './churr.js'
import { clockPage } from './clock-page.js'
import { landingPage } from './landing-page.js'
import { missingPage } from './missing-page.js'
import { nightScene } from './night-scene.js'
import { pricingPage } from './pricing-page.js'
import { renderPage } from './site-page.js'
import { siteStyles } from './site-styles.js'

export interface DemoSite {
  /** `http://127.0.0.1:PORT`, without slash. */
  url: string
  /** `127.0.0.1:PORT`, as the network guard wants it. */
  host: string
  /** Its pages, each worth a picture. */
  examples: { label: string; url: string; lang?: string }[]
  close(): Promise<void>
}

interface File {
  type: string
  content: string | Buffer
}

const PAGES = new Map([landingPage, articlePage, pricingPage, clockPage, arabicPage].map((page) => [page.path, page]))

/**
 * Starts the sample site: what `--demo` has to show without the internet.
 *
 * @param port  Default: a free one.
 */
export async function startDemoSite({ port = 0 }: { port?: number } = {}): Promise<DemoSite> {
  const files = await makeFiles()
  let url = ''
  const server = createServer((request, response) => answer(request, response, { files, url }))
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

function answer(request: IncomingMessage, response: ServerResponse, site: { files: Map<string, File>; url: string }) {
  const path = request.url?.split('?')[0] ?? '/'
  const send = (status: number, { type, content }: File, caching: string) => {
    const bytes = Buffer.from(content)
    response.writeHead(status, { 'content-type': type, 'content-length': bytes.length, 'cache-control': caching })
    response.end(request.method === 'HEAD' ? undefined : bytes)
  }
  const page = PAGES.get(path)
  const html = (): File => ({
    type: 'text/html; charset=utf-8',
    content: renderPage(page ?? missingPage, site.url, new Date()),
  })
  const file = site.files.get(path)
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end()
  } else if (file) send(200, file, 'public, max-age=3600')
  else send(page ? 200 : 404, html(), 'no-store')
}

async function makeFiles(): Promise<Map<string, File>> {
  const social = {
    home: nightScene({ colours: dusk, seed: 11 }),
    article: nightScene({ colours: midnight, seed: 29, loudest: 0.38, moon: { x: 640, y: 150, radius: 70 } }),
    pricing: nightScene({ colours: dawn, seed: 5, loudest: 0.55, moon: { x: 240, y: 190, radius: 48 } }),
    clock: nightScene({ colours: midnight, seed: 83, loudest: 0.85, moon: { x: 300, y: 110, radius: 40 } }),
    arabic: nightScene({ colours: oasis, seed: 47, loudest: 0.3, moon: { x: 330, y: 150, radius: 58 } }),
  }
  return new Map<string, File>([
    ['/site.css', { type: 'text/css; charset=utf-8', content: siteStyles }],
    ['/favicon.svg', { type: 'image/svg+xml', content: logo }],
    ['/favicon.png', await png(logo, 64)],
    ['/apple-touch-icon.png', await png(logo, 180)],
    ['/sounds/nightjar.wav', { type: 'audio/wav', content: churr() }],
    ...(await Promise.all(
      Object.entries(social).map(async ([name, svg]) => [`/social/${name}.png`, await png(svg, 1200)] as const),
    )),
  ])
}

async function png(svg: string, width: number): Promise<File> {
  return { type: 'image/png', content: await sharp(Buffer.from(svg)).resize({ width }).png().toBuffer() }
}
