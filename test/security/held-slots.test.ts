// Covers callers that hold the slots of a queue for as long as they can, against the built service: others get one at once.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { localSite, type LocalSite, type Route } from '../local-site.js'
import { startAttackedService, type AttackedService } from './attacked-service.js'

const BYTE_INTERVAL_MS = 200
/** Beyond what the same request takes without others; a machine with two cores captures three pages at once. */
const MAX_DELAY_MS = 6_000
/** What a capture may use while others wait. */
const MIN_VISIT_MS = 8_000
/** What a page has left of it that does not respond when its visit yields. */
const MAX_LAST_STEPS_MS = 2_000
const MAX_METADATA_MS = 1_000
/** Of a service that lets nobody pass, less than half. */
const MAX_METADATA_ON_BUSY_MACHINE_MS = 3_000

/** Sends a byte now and then, and never ends. */
const drip =
  (contentType: string, head: string): Route =>
  (_, response) => {
    response.writeHead(200, { 'content-type': contentType }).write(head)
    const timer = setInterval(() => response.write(' '), BYTE_INTERVAL_MS)
    response.once('close', () => clearInterval(timer))
  }
const loopWith = (script: string) => `<title>Busy</title><p>A page that keeps its thread busy<script>${script}</script>`
const ICON = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'

const BUSY_PAGES: Record<string, Route> = {
  '/loop': loopWith(`onload = () => setTimeout(() => { for (;;); }, 0)`),
  '/loop-at-once': loopWith('for (;;);'),
  '/loop-in-turns': loopWith(`setInterval(() => { for (const end = Date.now() + 3000; Date.now() < end; ); }, 10)`),
  '/loop-on-frames': loopWith(`requestAnimationFrame(function loop() {
    for (const end = Date.now() + 2000; Date.now() < end; ); requestAnimationFrame(loop) })`),
  '/growing': loopWith(`onload = () => { for (let n = 0; n < 1e9; n++) document.body.append('x'.repeat(100)) }`),
}

let service: AttackedService
/** A second host of the attacker, because one may have its share of the slots only. */
let other: LocalSite
beforeAll(async () => {
  other = await localSite({ '/': '<title>Page</title><body>Page', ...BUSY_PAGES })
  service = await startAttackedService(
    {
      '/': '<title>Page</title><body>Page',
      '/drip': drip('text/html', '<title>Never ends</title>'),
      '/drip-headers': (_, response) => {
        const socket = response.socket!
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nx-slow: ')
        const timer = setInterval(() => socket.write('a'), BYTE_INTERVAL_MS)
        socket.once('close', () => clearInterval(timer))
      },
      '/silent': () => undefined,
      ...BUSY_PAGES,
      '/icons': (request, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(`<title>Icon</title><link rel="icon" href="/drip.svg?${request.url!.split('?')[1]}">`),
      '/drip.svg': drip('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'),
      '/icon': '<title>Icon</title><link rel="icon" href="/icon.svg">',
      '/icon.svg': (_, response) => void response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(ICON),
    },
    ['--trust-proxy=1', `--allow-target=${other.host}`],
  )
}, 60_000)
afterAll(async () => {
  await service.stop()
  await other.close()
})

let count = 0
async function request(client: string, path: string, query: Record<string, string>, signal?: AbortSignal) {
  const startedAt = performance.now()
  const url = `${new URL(path, service.site.url).href}?${++count}`
  const headers = { 'x-forwarded-for': client }
  const response = await service.get({ url, ...query }, { headers, ...(signal && { signal }) })
  const text = await response.text()
  return { status: response.status, text, ms: performance.now() - startedAt }
}

const addresses = (length: number) => Array.from({ length }, (_, n) => `198.51.100.${n}`)
/** Each in its own /64. */
const subnets = (length: number) => Array.from({ length }, (_, n) => `2001:db8:1:${n.toString(16)}::1`)

it.each<[name: string, clients: string[], each: number, path: string, query: Record<string, string>]>([
  ['dripping pages of two addresses', addresses(2), 24, '/drip', {}],
  ['dripping pages of ten addresses', addresses(10), 12, '/drip', {}],
  ['dripping pages of 40 subnets of a /56', subnets(40), 3, '/drip', {}],
  ['pages of ten addresses whose headers drip', addresses(10), 12, '/drip-headers', {}],
  ['pages of ten addresses that never respond', addresses(10), 12, '/silent', {}],
])(
  'reads a new page of another client at once beside %s',
  async (name, clients, each, path, query) => {
    const report = await service.attack(name, async (signal) => {
      const held = clients.flatMap((client) => Array.from({ length: each }, () => request(client, path, query, signal)))
      // What has arrived of a page that drips is used.
      for (const { status } of await Promise.all(held)) expect([200, 503, 504]).toContain(status)
    })
    console.log(`${name}: ${report.slowestMetadataMs.toFixed(0)} ms (wanted ${MAX_METADATA_MS})`)
    expect(report.slowestMetadataMs).toBeLessThan(MAX_METADATA_ON_BUSY_MACHINE_MS)
  },
  90_000,
)

it.each<[name: string, clients: string[], isOneHost: boolean]>([
  ['two captures of one address', ['198.51.100.1', '198.51.100.1'], false],
  ['two captures of one address and one host', ['198.51.100.1', '198.51.100.1'], true],
  ['two captures of two addresses', addresses(2), false],
  ['captures of 20 subnets of a /56', subnets(20), false],
  ['captures of 20 subnets of a /48', Array.from({ length: 20 }, (_, n) => `2001:db8:1:${n.toString(16)}00::1`), false],
])(
  'captures a page of another client at once beside %s that wait for 28 seconds',
  async (name, clients, isOneHost) => {
    const query = { screenshot: 'true', meta: 'false' }
    const innocent = () => request('192.0.2.1', '/icon', query)
    await innocent()
    const { ms: aloneMs } = await innocent()
    const end = new AbortController()
    const countRequests = () => service.site.requests.length + other.requests.length
    const before = countRequests()
    const held = clients.map((client, n) =>
      request(
        client,
        n % 2 && !isOneHost ? '/' : `${other.url}/`,
        { ...query, waitForTimeout: '28s' },
        end.signal,
      ).catch(() => undefined),
    )
    // Each page is requested twice: for its metadata, and by the browser in a slot.
    await expect.poll(() => countRequests() - before, { timeout: 20_000 }).toBeGreaterThanOrEqual(clients.length + 2)
    const { status, ms } = await innocent()
    end.abort()
    await Promise.all(held)
    console.log(`${name}: alone ${aloneMs.toFixed(0)} ms, beside them ${ms.toFixed(0)} ms`)
    expect(status).toBe(200)
    expect(ms).toBeLessThan(aloneMs + MAX_DELAY_MS)
  },
  90_000,
)

it.each([
  ['two hosts', false],
  ['one host', true],
])(
  'ends the waits of captures of %s that have all slots and the reserve when another client waits',
  async (_, isOneHost) => {
    const query = { screenshot: 'true', meta: 'false' }
    const innocent = () => request('192.0.2.3', '/icon', query)
    await innocent()
    const countRequests = () => service.site.requests.length + other.requests.length
    const before = countRequests()
    const held = addresses(3).map((client, n) =>
      request(client, n % 2 && !isOneHost ? '/' : `${other.url}/?${n}`, { ...query, waitForTimeout: '28s' }),
    )
    await expect.poll(() => countRequests() - before, { timeout: 20_000 }).toBe(6)
    const { status, ms } = await innocent()
    const responses = await Promise.all(held)
    console.log(`beside captures that have all slots: ${ms.toFixed(0)} ms`)
    expect(status).toBe(200)
    expect(ms).toBeLessThan(MIN_VISIT_MS + MAX_DELAY_MS)
    const warnings = responses.flatMap(({ text }) => (JSON.parse(text) as { warnings?: string[] }).warnings ?? [])
    expect(warnings).toContainEqual(expect.stringContaining('others were waiting for the browser'))
  },
  90_000,
)

it.each<[name: string, path: string, query: Record<string, string>]>([
  ['loop once they have loaded', '/loop', {}],
  ['loop while they load', '/loop-at-once', {}],
  ['loop once they have loaded, and are captured whole', '/loop', { 'screenshot.fullPage': 'true' }],
  ['loop in turns of three seconds', '/loop-in-turns', {}],
  ['loop in every frame', '/loop-on-frames', { element: 'p' }],
  ['grow without end', '/growing', {}],
])(
  'captures a page of another client beside pages of three addresses that have all slots and %s',
  async (name, path, query) => {
    const innocent = () => request('192.0.2.4', '/icon', { screenshot: 'true', meta: 'false' })
    await innocent()
    const countRequests = () => service.site.requests.length + other.requests.length
    const before = countRequests()
    const end = new AbortController()
    const held = addresses(3).map((client, n) =>
      request(
        client,
        n % 2 ? path : `${other.url}${path}`,
        { screenshot: 'true', meta: 'false', ...query },
        end.signal,
      ).catch(() => undefined),
    )
    await expect.poll(() => countRequests() - before, { timeout: 20_000 }).toBe(6)
    const { status, ms } = await innocent()
    end.abort()
    await Promise.all(held)
    console.log(`beside pages that ${name}: ${ms.toFixed(0)} ms`)
    expect(status).toBe(200)
    expect(ms).toBeLessThan(MIN_VISIT_MS + MAX_LAST_STEPS_MS + MAX_DELAY_MS)
  },
  90_000,
)

it('embeds the icon of a page of another client at once beside SVG icons of two addresses that never end', async () => {
  const query = { embed: 'logo.url', ping: 'false' }
  const end = new AbortController()
  const held = addresses(2).flatMap((client) =>
    Array.from({ length: 6 }, () => request(client, '/icons', query, end.signal)),
  )
  await expect
    .poll(() => service.site.requests.filter((line) => line.includes('drip.svg')).length, { timeout: 10_000 })
    .toBeGreaterThan(2)
  const innocent = await request('192.0.2.2', '/icon', query)
  const times = (await Promise.all(held)).map(({ ms }) => ms)
  end.abort()
  console.log(
    `icon beside icons that never end: ${innocent.ms.toFixed(0)} ms; the slowest of those ended after ${Math.max(...times).toFixed(0)} ms`,
  )
  expect(innocent.status).toBe(200)
  expect(innocent.ms).toBeLessThan(MAX_METADATA_ON_BUSY_MACHINE_MS)
}, 90_000)

it.each<[name: string, slow: string, count: number, query: Record<string, string>, maxMs: number]>([
  ['metadata', '/drip', 60, {}, MAX_METADATA_ON_BUSY_MACHINE_MS],
  ['a logo', '/icons', 15, { embed: 'logo.url', ping: 'false' }, MAX_METADATA_ON_BUSY_MACHINE_MS],
])(
  'gets another client %s at once that the attacker has queued behind its own',
  async (_, slow, length, query, maxMs) => {
    const end = new AbortController()
    const popular = slow === '/icons' ? '/icon' : '/'
    const url = `${new URL(popular, service.site.url).href}?popular-${slow.slice(1)}`
    const get = async (client: string, signal?: AbortSignal) => {
      const startedAt = performance.now()
      const headers = { 'x-forwarded-for': client }
      const response = await service.get({ url, ...query }, { headers, ...(signal && { signal }) })
      await response.arrayBuffer()
      return { status: response.status, ms: performance.now() - startedAt }
    }
    const countSlow = () => service.site.requests.filter((line) => line.includes('drip')).length
    const before = countSlow()
    const held = Array.from({ length }, () => request('198.51.100.9', slow, query, end.signal).catch(() => undefined))
    await expect.poll(() => countSlow() - before, { timeout: 10_000 }).toBeGreaterThanOrEqual(slow === '/drip' ? 12 : 3)
    const queued = get('198.51.100.9', end.signal).catch(() => undefined)
    // The service has received the attacker's request once it has answered a later one.
    await request('192.0.2.8', '/', {})
    const innocent = await get('192.0.2.9')
    end.abort()
    await Promise.all([...held, queued])
    console.log(`${popular} that another client has queued: ${innocent.ms.toFixed(0)} ms`)
    expect(innocent.status).toBe(200)
    expect(innocent.ms).toBeLessThan(maxMs)
  },
  60_000,
)
