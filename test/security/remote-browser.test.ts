// Covers the network guard with a Chromium that the service has not launched: `remote-browser.ts`, `chromium-flags.ts`.
import { connect } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { recommendedFlags, requiredFlags } from '../../src/server/browser/chromium-flags.js'
import type { Route } from '../local-site.js'
import { startRemoteChromium, type RemoteChromium } from '../shared/start-remote-chromium.js'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { browserVectors, packetVectors } from './browser-vectors.js'
import { listeningPorts } from './listening-ports.js'
import { countTraffic } from './sent-traffic.js'
import { startUnguardedBrowser } from './unguarded-browser.js'
import { isIsolated, startVictims, type Victims } from './victims.js'

/** Where the proxies of the pages listen: not where the browser and its victims are. */
const PROXY_HOST = '127.0.0.3'
const TO: Route = ({ url }, response) =>
  void response.writeHead(302, { location: decodeURIComponent(url!.split('?')[1]!) }).end()

let victims: Victims
let control: Victims
let remote: RemoteChromium
let service: AttackedService
beforeAll(async () => {
  victims = await startVictims(['127.0.0.1'])
  control = await startVictims(['127.0.0.1'])
  remote = await startRemoteChromium({ proxyPublicHost: PROXY_HOST })
  service = await start(remote)
}, 60_000)
afterAll(async () => {
  await service.stop()
  await Promise.all([remote.stop(), victims.close(), control.close()])
})

const start = ({ url }: RemoteChromium) =>
  startAttackedService({ '/to': TO }, [
    `--browser=${url}`,
    `--proxy-host=${PROXY_HOST}`,
    '--allow-unsandboxed',
    `--allow-target=127.0.0.1:${control.port}`,
  ])

const vectorsTo = (attacked: AttackedService, { port }: Victims) =>
  browserVectors({ host: `127.0.0.1:${port}`, site: attacked.site.url })
    .map(({ html }) => html)
    .join('\n')

const packetsTo = ({ port }: Victims) =>
  packetVectors(`127.0.0.1:${port}`)
    .map(({ html }) => html)
    .join('\n')

async function capture(attacked: AttackedService, path: string, html: string) {
  attacked.site.routes[path] =
    `<!doctype html><title>Attack</title><body><p id="a">a</p><p id="b">b</p><li>c</li>${html}`
  const response = await attacked.get({
    url: attacked.site.url + path,
    screenshot: 'true',
    meta: 'false',
    adblock: 'false',
    waitForTimeout: '2s',
  })
  return { status: response.status, body: (await response.json()) as { code?: string } }
}

describe('guard: remote browser', () => {
  it('lets the browser send nothing that bypasses the proxies, WebRTC included', async () => {
    expect(await capture(service, '/control', vectorsTo(service, control) + packetsTo(control))).toMatchObject({
      status: 200,
    })
    expect(control.arrivals.length).toBeGreaterThan(30)
    for (const name of ['web-socket', 'fetch-keepalive', 'iframe-src', 'event-source'])
      expect(control.arrivals.join()).toContain(`/${name} `)
    expect(control.arrivals.filter((arrival) => arrival.includes('UDP'))).toEqual([])
    const traffic = countTraffic()
    expect(await capture(service, '/attack', vectorsTo(service, victims) + packetsTo(victims))).toMatchObject({
      status: 200,
    })
    expect(victims.arrivals).toEqual([])
    if (await isIsolated()) expect(traffic().datagrams).toBe(0)
  })

  it('would send packets without the flags', async () => {
    const unguarded = await startUnguardedBrowser()
    onTestFinished(() => unguarded.stop())
    await unguarded.open(packetsTo(control), () =>
      expect.poll(() => control.arrivals.some((arrival) => arrival.includes('UDP'))).toBe(true),
    )
  })

  it.each(Object.keys(requiredFlags))('refuses a browser without %s, and sends it no page', async (required) => {
    const [name = ''] = required.split('=')
    const flags = recommendedFlags(PROXY_HOST).filter((flag) => flag.split('=')[0] !== name)
    const unsafe = await startRemoteChromium({ flags })
    onTestFinished(() => unsafe.stop())
    const attacked = await start(unsafe)
    onTestFinished(() => attacked.stop())
    const { status, body } = await capture(attacked, '/packets', `<img src="/opened">${packetsTo(victims)}`)
    expect([status, body.code]).toEqual([503, 'EBUSY'])
    expect(JSON.stringify(body)).not.toContain(name)
    expect(attacked.log()).toContain(`${required.replace('HOST', PROXY_HOST)} is missing`)
    expect(attacked.site.requests).not.toContain('GET /opened')
    expect(victims.arrivals).toEqual([])
  })

  it('forwards nothing for somebody who finds the proxy of a page', async () => {
    const tried = proxyPorts()
    expect(tried.length).toBeGreaterThan(0)
    const before = control.arrivals.length
    for (const port of tried)
      for (const head of [
        `GET http://127.0.0.1:${control.port}/open HTTP/1.1`,
        `CONNECT 127.0.0.1:${control.port} HTTP/1.1`,
      ])
        expect(await send(port, `${head}\r\nhost: 127.0.0.1:${control.port}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 407 /)
    expect(control.arrivals.length).toBe(before)
  })
})

/** Of the page that is opened in advance, at least. */
const proxyPorts = () => listeningPorts(service.pid, PROXY_HOST)

async function send(port: number, bytes: string): Promise<string> {
  const socket = connect(port, PROXY_HOST)
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk)))
  socket.write(bytes)
  await once(socket, 'close')
  return text
}
