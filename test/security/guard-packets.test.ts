// Covers what a browser sends beside the proxies of its pages: UDP, look-ups, and its own requests.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createLauncher } from '../../src/server/browser/launch-browser.js'
import { openPage } from '../../src/server/browser/open-page.js'
import { browserVectors, lookUpVectors, otherSenders, packetVectors } from './browser-vectors.js'
import { privateHosts } from './guarded-service.js'
import { startNameServer, type NameServer } from './name-server.js'
import { countTraffic } from './sent-traffic.js'
import { startUnguardedBrowser, type UnguardedBrowser } from './unguarded-browser.js'
import { isIsolated, startVictims, type Victims } from './victims.js'

const PAGE_URL = 'http://127.0.0.1/'
/** Where requests go that belong to no page. */
const CLOSED_PROXY_PORT = 9
/** What full Chromium requests for itself, whatever its flags: the accounts of its profile, and an identity for push messages. */
const OWN_HOSTNAMES = ['accounts.google.com', 'android.clients.google.com']
const MULTICAST_DNS = { address: '224.0.0.251', port: 5353 }
/** Without the guard, each vector sends its first packet within one second. */
const OBSERVED_MS = 5_000

let victims: Victims
let names: NameServer
let multicast: Recorder
beforeAll(async () => {
  victims = await startVictims()
  names = await startNameServer(() => [])
  multicast = await recordMulticast()
})
afterAll(() => Promise.all([victims.close(), names.close(), multicast.close()]))

describe.runIf(await isIsolated())('guard: packets', () => {
  describe('without the guard', () => {
    let unguarded: UnguardedBrowser
    beforeAll(async () => void (unguarded = await startUnguardedBrowser()))
    afterAll(() => unguarded.stop())

    it.each(packetVectors('127.0.0.1:9').map(({ name }) => name))(
      '%s sends packets to a private address',
      async (name) => {
        const vectors = packetVectors(`10.1.2.3:${victims.port}`)
        const { html, bytes, transport } = vectors.find((vector) => vector.name === name)!
        const traffic = countTraffic()
        const before = victims.arrivals.length
        const isOfVector = (arrival: string) =>
          arrival.startsWith('10.1.2.3: UDP') === (transport === 'UDP') && arrival.includes(bytes)
        const arrived = () => expect.poll(() => victims.arrivals.slice(before).some(isOfVector)).toBe(true)
        await unguarded.open(html, arrived)
        expect(traffic()[transport === 'UDP' ? 'datagrams' : 'connections']).toBeGreaterThan(0)
      },
    )

    it.for(Object.entries(otherSenders))('%s is sent by %j', async ([name, products], { skip }) => {
      skip(!products.some((product) => unguarded.version.startsWith(`${product}/`)))
      const vectors = browserVectors({ host: `10.1.2.3:${victims.port}`, site: '' })
      const before = victims.arrivals.length
      const arrived = () => expect.poll(() => victims.arrivals.length).toBeGreaterThan(before)
      await unguarded.open(vectors.find((vector) => vector.name === name)!.html, arrived)
    })

    it.each(lookUpVectors)('$name looks up a name', async ({ html, bytes }) => {
      const traffic = countTraffic()
      const queries = () => [...names.lookups, ...multicast.arrivals]
      const before = queries().filter((query) => query.includes(bytes)).length
      const lookedUp = () =>
        expect.poll(() => queries().filter((query) => query.includes(bytes)).length).toBeGreaterThan(before)
      await unguarded.open(html, lookedUp)
      expect(traffic().datagrams).toBeGreaterThan(0)
    })
  })

  it('sends no packet, whatever a page tries, and connects to nothing but proxies', async () => {
    const hosts = (await privateHosts()).map((host) => `${host}:${victims.port}`)
    const packets = [...hosts.flatMap(packetVectors), ...lookUpVectors]
    const requests = hosts.flatMap((host) => browserVectors({ host, site: 'http://site.test' }))
    const { traffic, proxyConnections, pageTargets, ownTargets } = await observe(
      [...packets, ...requests].map(({ html }) => html).join(''),
      hosts.length,
    )
    expect(traffic.datagrams).toBe(0)
    expect(traffic.connections).toBe(proxyConnections)
    // Chromium must not request anything for itself as if the page did: from there, the guard lets it reach its maker.
    const attacked = new Set([...hosts, 'site.test', '127.0.0.1'].map(hostnameOf))
    expect(pageTargets.map(hostnameOf).filter((hostname) => !attacked.has(hostname))).toEqual([])
    expect(ownTargets.map(hostnameOf).filter((hostname) => !OWN_HOSTNAMES.includes(hostname))).toEqual([])
  })
})

/** @param target  Of a request to a proxy: a URL, or `HOST:PORT`. */
const hostnameOf = (target: string) => new URL(target.includes('://') ? target : `http://${target}`).hostname

/**
 * Launches a browser as the service does, and opens a page.
 *
 * @param minTargets  Until the page has attempted more requests, it is not observed.
 */
async function observe(html: string, minTargets: number) {
  const closedProxy = await startProxy(CLOSED_PROXY_PORT)
  const pageProxy = await startProxy(0, html)
  onTestFinished(() => [closedProxy, pageProxy].forEach((proxy) => proxy.close()))

  const traffic = countTraffic()
  const { launch } = createLauncher({ executable: undefined, allowUnsandboxed: true })
  const browser = await launch(AbortSignal.timeout(60_000))
  const page = await openPage(browser, {
    openProxy: async () => ({ url: pageProxy.url, budget: undefined, close: async () => undefined }),
  })
  await page.session.send('Page.navigate', { url: PAGE_URL })
  // A busy machine takes long to load the page.
  await expect.poll(() => pageProxy.targets.length, { timeout: 60_000 }).toBeGreaterThan(minTargets)
  await delay(OBSERVED_MS)
  await browser.close()
  const proxyConnections = () => closedProxy.connections() + pageProxy.connections()
  // The kernel counts a connection before this process accepts it.
  await expect.poll(() => traffic().connections - proxyConnections()).toBeLessThanOrEqual(0)
  return {
    traffic: traffic(),
    proxyConnections: proxyConnections(),
    pageTargets: pageProxy.targets,
    ownTargets: closedProxy.targets,
  }
}

/** Refuses everything but the page, if there is one. */
async function startProxy(port: number, html?: string) {
  const targets: string[] = []
  let connections = 0
  const server = createServer().listen(port, '127.0.0.1')
  server.on('connection', () => void connections++)
  server.on('request', ({ url = '' }, response) => {
    const isPage = html !== undefined && url === PAGE_URL
    if (!isPage) targets.push(url)
    response.writeHead(isPage ? 200 : 403, { 'content-type': 'text/html' }).end(isPage ? html : '')
  })
  server.on('connect', ({ url = '' }, socket) => {
    targets.push(url)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targets,
    connections: () => connections,
    close: () => server.close().closeAllConnections(),
  }
}

interface Recorder {
  arrivals: string[]
  close(): Promise<void>
}

/** Listens as a computer of the local network does. */
async function recordMulticast(): Promise<Recorder> {
  const arrivals: string[] = []
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  socket.on('message', (message) => void arrivals.push(message.toString('latin1')))
  socket.bind(MULTICAST_DNS.port)
  await once(socket, 'listening')
  if (await isIsolated()) socket.addMembership(MULTICAST_DNS.address, '10.1.2.4')
  return { arrivals, close: () => new Promise<void>((resolve) => socket.close(() => resolve())) }
}
