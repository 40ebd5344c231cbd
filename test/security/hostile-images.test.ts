// Covers images that are slow or large to decode or encode, against the built service.
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { PageResponse } from '../../src/query/index.js'
import type { Route } from '../local-site.js'
import { timeWithoutPauses } from '../shared/time-without-pauses.js'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { expectContained } from './expect-contained.js'
import { nodeChildrenOf, type ChildProcessState, watchNodeChildren } from './child-processes.js'

const CONCURRENT_REQUESTS = 4
const MAX_NAME_LOOKUP_MS = 1_000
/** CPU time after which a conversion has begun, the start of its process included. */
const ENCODING_MS = 500

let service: AttackedService
beforeAll(async () => {
  service = await startAttackedService({ '/tall': TALL_PAGE })
})
afterAll(() => service.stop())

/** 100,000 elements, which take librsvg about a minute. */
const slowSvg = () => {
  const curve = 'M0 0C6000 0 0 6000 6000 6000'
  const levels = Array.from(
    { length: 5 },
    (_, level) => `<g id="a${level + 1}">${`<use href="#a${level}"/>`.repeat(10)}</g>`,
  ).join('')
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="6000" height="6000"><defs><g id="a0"><path d="${curve.repeat(8)}" stroke="red" stroke-width="50" fill="none"/></g>${levels}</defs><use href="#a5"/></svg>`,
  )
}

const TALL_PAGE = '<body style="margin:0"><div style="height:9000px;background:linear-gradient(red,blue,lime)">'

const sendImage =
  (bytes: Buffer, contentType: string): Route =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': contentType }).end(bytes)

async function requestPalettes(bytes: Buffer, contentType: string): Promise<PageResponse[]> {
  const { site } = service
  site.requests.length = 0
  site.routes['/image'] = sendImage(bytes, contentType)
  const pages = Array.from({ length: CONCURRENT_REQUESTS }, (_, index) => `/${contentType}/${bytes.length}/${index}`)
  for (const [index, path] of pages.entries())
    site.routes[path] = `<title>Attack</title><meta property="og:image" content="${site.url}/image?n=${index}">`
  return Promise.all(
    pages.map(async (path) => {
      const response = await service.get({ url: site.url + path, palette: 'true', ping: 'true' })
      expect(response.status).toBe(200)
      return (await response.json()) as PageResponse
    }),
  )
}

/** From then on the images are about to be decoded. */
const waitForImageRequests = () =>
  vi.waitFor(
    () => {
      const requests = service.site.requests.filter((request) => request.startsWith('GET /image'))
      expect(requests.length).toBeGreaterThanOrEqual(CONCURRENT_REQUESTS)
    },
    { timeout: 10_000 },
  )

/** Names are resolved on libuv's thread pool, which decoders share when they run in the process of the service. */
const timeOfNameLookup = () =>
  timeWithoutPauses(service.url, async () => {
    const url = `http://localhost:${service.site.host.split(':')[1]}/${performance.now()}`
    const response = await service.get({ url })
    await response.text()
    expect(response.status).toBe(403)
  })

async function attackContained(name: string, run: () => Promise<unknown>): Promise<void> {
  const children = watchNodeChildren(service.pid)
  const report = await service.attack(name, run)
  console.log(`${name}: memory of image processes ${Math.round(children.stop().maxRssBytes / 1e6)} MB`)
  expectContained(report)
}

it.each(['image/svg+xml', 'image/png'])('draws no colours from a slow SVG that is sent as %s', async (contentType) => {
  let lookupMs = 0
  await attackContained(`palette of a slow SVG as ${contentType}`, async () => {
    const palettes = requestPalettes(slowSvg(), contentType)
    await waitForImageRequests()
    lookupMs = await timeOfNameLookup()
    for (const { data } of await palettes) expect(data.image).not.toHaveProperty('palette')
  })
  expect(lookupMs).toBeLessThan(MAX_NAME_LOOKUP_MS)
})

it('keeps the memory of decompression bombs out of the service', async () => {
  const create = { width: 7_000, height: 7_000, channels: 4, background: '#0000' } as const
  // Interlaced images have to be held in memory completely: 400 MB.
  const bomb = await sharp({ create, limitInputPixels: false })
    .toColourspace('rgb16')
    .png({ progressive: true })
    .toBuffer()
  let lookupMs = 0
  await attackContained('palette of interlaced PNG bombs', async () => {
    const palettes = requestPalettes(bomb, 'image/png')
    await waitForImageRequests()
    lookupMs = await timeOfNameLookup()
    await palettes
  })
  expect(lookupMs).toBeLessThan(MAX_NAME_LOOKUP_MS)
})

const ONE_PIXEL = { create: { width: 1, height: 1, channels: 3, background: '#123456' } } as const

it.each([
  ['a PNG that declares 60,000 × 60,000 pixels', async () => withSize(await sharp(ONE_PIXEL).png().toBuffer(), 60_000)],
  ['a truncated PNG', async () => (await sharp(ONE_PIXEL).png().toBuffer()).subarray(0, 45)],
  ['a GIF header with an SVG behind it', () => Promise.resolve(Buffer.concat([Buffer.from('GIF89a'), slowSvg()]))],
  ['an SVG behind 900 spaces', () => Promise.resolve(Buffer.concat([Buffer.alloc(900, ' '), slowSvg()]))],
])('returns %s without a palette', async (name, createImage) => {
  const bytes = await createImage()
  await attackContained(name, async () => {
    for (const { data } of await requestPalettes(bytes, 'image/png'))
      expect(data.image ?? {}).not.toHaveProperty('palette')
  })
})

function withSize(png: Buffer, side: number): Buffer {
  const changed = Buffer.from(png)
  changed.writeUInt32BE(side, 16)
  changed.writeUInt32BE(side, 20)
  return changed
}

const pidsOf = (children: readonly ChildProcessState[]) => children.map(({ pid }) => pid)

it('stops a conversion that nobody waits for any more', async () => {
  const query = { url: `${service.site.url}/tall`, screenshot: 'true', 'screenshot.fullPage': 'true', meta: 'false' }
  const response = await service.get({ ...query, 'viewport.width': '1900', 'viewport.height': '1000' })
  expect(response.status, service.log()).toBe(200)
  const { data } = (await response.json()) as PageResponse
  await attackContained('variants as AVIF that are abandoned', async () => {
    const leaving = new AbortController()
    const before = new Set(pidsOf(nodeChildrenOf(service.pid)))
    const request = () => fetch(`${data.screenshot!.url}?type=avif`, { signal: leaving.signal })
    const requests = Promise.allSettled(Array.from({ length: CONCURRENT_REQUESTS }, request))
    const converting = () =>
      pidsOf(nodeChildrenOf(service.pid).filter(({ pid, cpuMs }) => !before.has(pid) && cpuMs > ENCODING_MS))
    await expect.poll(converting).not.toEqual([])
    leaving.abort()
    await requests
    // A process whose conversion ends by itself stays for a minute.
    await expect.poll(converting).toEqual([])
  })
})
