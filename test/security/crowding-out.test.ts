// Covers one client that starts more work than there are turns, against the built service: others get theirs.
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { expectContained } from './expect-contained.js'

const REQUESTS = 100
/** A page holds its turn this long. */
const PAGE_MS = 2_000
const SLOW_HTML = `<title>T</title>${'<div>'.repeat(100_000)}${'</a>'.repeat(20_000)}`

let service: AttackedService
beforeAll(async () => {
  const noise = await sharp({
    create: { width: 300, height: 300, channels: 3, background: 'red', noise: { type: 'gaussian', sigma: 60 } },
  })
    .png()
    .toBuffer()
  service = await startAttackedService(
    {
      '/slow': (_, response) => void setTimeout(() => response.end('<title>Slow</title>'), PAGE_MS),
      '/html': SLOW_HTML,
      '/image': '<title>Image</title><meta property="og:image" content="/noise.png">',
      '/noise.png': (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(noise),
    },
    ['--trust-proxy=1'],
  )
})
afterAll(() => service.stop())

const ATTACKER = { 'x-forwarded-for': '192.0.2.66' }

const queriesOf = (path: string, more: Record<string, string> = {}) =>
  Array.from({ length: REQUESTS }, (_, n) => ({ url: `${service.site.url}${path}?n=${n}`, ping: 'false', ...more }))

it.each([
  ['pages that respond after 2 seconds', () => queriesOf('/slow')],
  ['pages that are slow to parse', () => queriesOf('/html')],
  ['embedded images', () => queriesOf('/image', { embed: 'image.url' })],
  ['palettes', () => queriesOf('/image', { palette: 'true' })],
])(`serves others beside ${REQUESTS} requests of one client for %s`, async (name, queries) => {
  const report = await service.attack(`${REQUESTS} requests for ${name}`, async (signal) => {
    const requests = queries().map(async (query) => {
      const response = await service.get(query, { headers: ATTACKER, signal })
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
