// Covers clients that fill every queue with the largest bodies and hold them, each within its limits, against the built service.
import { randomFillSync } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { expectContained } from './expect-contained.js'

const CLIENTS = ['192.0.2.1', '192.0.2.2', '192.0.2.3']
/** As many as one client may have at the same time, and some that wait. */
const REQUESTS_PER_CLIENT = { page: 16, media: 6, palette: 16, variant: 4, screenshot: 2 }
const PAGE_BYTES = 7_900_000
const MEDIA_BYTES = 24_900_000
/** A body is held this long before its last byte. */
const HOLD_MS = 2_000

type Query = Record<string, string>

let service: AttackedService
beforeAll(async () => {
  const noise = (width: number, height: number) =>
    sharp(randomFillSync(Buffer.alloc(width * height * 3)), { raw: { width, height, channels: 3 } })
  const [paletteImage, variantImage] = await Promise.all([
    noise(1_250, 1_250).png({ compressionLevel: 0 }).toBuffer(),
    noise(2_850, 2_850).png({ compressionLevel: 0 }).toBuffer(),
  ])
  const large = `<title>Large</title>${'<p>A paragraph of the page.</p>'.repeat(250_000)}`.slice(0, PAGE_BYTES)
  const media = Buffer.alloc(MEDIA_BYTES, variantImage.subarray(0, 64))
  /** A page with its own image. */
  const withImage =
    (path: string, text = '') =>
    (request: IncomingMessage, response: ServerResponse) =>
      void response
        .setHeader('content-type', 'text/html')
        .end(`<title>T</title><meta property="og:image" content="${path}?${request.url!.split('?')[1]}">${text}`)
  service = await startAttackedService(
    {
      '/page': (_, response) => sendHeld(response, 'text/html', Buffer.from(large)),
      '/media': withImage('/media.png'),
      '/media.png': (_, response) => sendHeld(response, 'image/png', media),
      '/palette': withImage('/palette.png', '<p>text'.repeat(1e6)),
      '/palette.png': (_, response) => response.setHeader('content-type', 'image/png').end(paletteImage),
      '/variant': withImage('/variant.png'),
      // Other bytes each time, because the same image is converted once.
      '/variant.png': (request, response) =>
        response.setHeader('content-type', 'image/png').end(Buffer.concat([variantImage, Buffer.from(request.url!)])),
      '/screenshot': `<title>Noise</title><body style="margin:0"><div id="noise" style="width:3000px;height:2400px"></div><script>
        const canvas = Object.assign(document.createElement('canvas'), { width: 1000, height: 1000 })
        const context = canvas.getContext('2d')
        const image = context.createImageData(1000, 1000)
        for (let start = 0; start < image.data.length; start += 50_000) crypto.getRandomValues(image.data.subarray(start, start + 50_000))
        for (let alpha = 3; alpha < image.data.length; alpha += 4) image.data[alpha] = 255
        context.putImageData(image, 0, 0)
        noise.style.background = 'url(' + canvas.toDataURL() + ')'
      </script>`,
    },
    ['--trust-proxy=1'],
  )
})
afterAll(() => service.stop())

function sendHeld(response: ServerResponse, type: string, bytes: Buffer): void {
  response.writeHead(200, { 'content-type': type, 'content-length': bytes.length })
  response.write(bytes.subarray(0, -1))
  setTimeout(() => response.end(bytes.subarray(-1)), HOLD_MS)
}

const PARAMETERS: Record<keyof typeof REQUESTS_PER_CLIENT, Query> = {
  page: {},
  media: { embed: 'image.url' },
  palette: { palette: 'true', ping: 'true' },
  variant: { embed: 'image.url', 'variant.type': 'avif', 'variant.width': '1280' },
  screenshot: {
    screenshot: 'true',
    'screenshot.type': 'png',
    'screenshot.fullPage': 'true',
    'viewport.width': '3000',
    'viewport.height': '1000',
    'viewport.deviceScaleFactor': '1',
  },
}

/** Every request of every kind and client, in turn by client. */
function queriesOf(name: string, kinds: readonly (keyof typeof REQUESTS_PER_CLIENT)[]) {
  return kinds.flatMap((kind) =>
    Array.from({ length: REQUESTS_PER_CLIENT[kind] }, (_, n) => n).flatMap((n) =>
      CLIENTS.map((client, index) => ({
        client,
        query: { url: `${service.site.url}/${kind}?${name}-${kind}-${index}-${n}`, ping: 'false', ...PARAMETERS[kind] },
      })),
    ),
  )
}

it.each([
  ['pages', ['page']],
  ['media', ['media']],
  ['palettes', ['palette']],
  ['variants', ['variant']],
  ['screenshots', ['screenshot']],
  ['everything', ['page', 'media', 'palette', 'variant', 'screenshot']],
] as const)('holds no more than its memory for %s of three clients', async (name, kinds) => {
  const report = await service.attack(`three clients with the largest ${name}`, async (signal) => {
    const requests = queriesOf(name, kinds).map(async ({ client, query }) => {
      const response = await service.get(query, { headers: { 'x-forwarded-for': client }, signal })
      await response.arrayBuffer()
      return response.status
    })
    const statuses = await Promise.all(requests)
    // Those that find no room may fail, with the reason.
    for (const status of statuses) expect([200, 503, 504]).toContain(status)
    expect(statuses).toContain(200)
  })
  expectContained(report)
})
