import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { dawnPalette, duskPalette, midnightPalette, nightScene, sunsetPalette } from './night-scene.js'
import { logo, renderSitePage } from './render-site-page.js'
import { arabicPage, articlePage, clockPage, landingPage, missingPage, pricingPage } from './site-pages.js'
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

/** SVG drawings, and the width of their PNG in pixels. */
export type PngRequest = readonly { svg: string; width: number }[]

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
const WAV_SAMPLES_PER_SECOND = 16_000
const CALL_SECONDS = 4
const WAV_HEADER_BYTES = 44
/** The built script, or in tests its source. */
const SCRIPT = join(import.meta.dirname, `png-process${extname(import.meta.filename)}`)

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

/**
 * Renders drawings as PNG in a child process, because the process of the service decodes no images.
 *
 * @throws  {Error} when the process ends before it has rendered them.
 */
async function renderPngs(drawings: PngRequest): Promise<Uint8Array[]> {
  // Windows needs the variable to start any process.
  const child = fork(SCRIPT, { env: { SystemRoot: process.env.SystemRoot }, serialization: 'advanced' })
  const done = new AbortController()
  const ended = once(child, 'exit', { signal: done.signal }).then(([code]: number[]) => {
    throw new Error(`The images of the sample site could not be rendered (exit code ${code}).`)
  })
  try {
    child.send(drawings)
    const [images] = await Promise.race([once(child, 'message', { signal: done.signal }), ended])
    return images as Uint8Array[]
  } finally {
    done.abort()
  }
}

/**
 * Synthesizes the call of a nightjar as a WAV file: 40 beats a second at 1,900 Hz, and lower during the third second, as when the
 * bird turns its head.
 *
 * @see  http://soundfile.sapp.org/doc/WaveFormat/
 */
function createBirdCall(): Buffer {
  const sampleCount = WAV_SAMPLES_PER_SECOND * CALL_SECONDS
  const file = Buffer.alloc(WAV_HEADER_BYTES + sampleCount * 2)
  file.write('RIFF', 0)
  file.writeUInt32LE(file.length - 8, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(WAV_SAMPLES_PER_SECOND, 24)
  file.writeUInt32LE(WAV_SAMPLES_PER_SECOND * 2, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36)
  file.writeUInt32LE(sampleCount * 2, 40)
  for (let index = 0; index < sampleCount; index++) file.writeInt16LE(sampleAt(index), WAV_HEADER_BYTES + index * 2)
  return file
}

function sampleAt(index: number): number {
  const second = index / WAV_SAMPLES_PER_SECOND
  const frequency = second > 2 && second < 3 ? 1_650 : 1_900
  const beat = Math.max(0, Math.sin(2 * Math.PI * 40 * second)) ** 2
  const fade = Math.min(1, second * 4, (CALL_SECONDS - second) * 4)
  return Math.round(9_000 * fade * beat * Math.sin(2 * Math.PI * frequency * second))
}
