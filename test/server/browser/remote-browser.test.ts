// Covers the address of a browser that runs already, and the use of several: the rest is in `remote-browser.slow.test.ts`.
import { createHash } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BrowserUnavailableError } from '../../../src/server/browser/running-browser.js'
import { balanceBrowsers } from '../../../src/server/browser/balance-browsers.js'
import { connectBrowser, parseBrowserOption, resolveEndpoint } from '../../../src/server/browser/remote-browser.js'
import type { Lease, Supervisor } from '../../../src/server/browser/supervisor.js'
import { startRemoteChromium } from '../../shared/start-remote-chromium.js'

describe('--browser', () => {
  it.each([
    [['/opt/my chromium, 143/chrome'], ['/opt/my chromium, 143/chrome']],
    [['http://chromium:9222'], ['http://chromium:9222']],
    [
      ['http://a:9222,http://b:9222', 'http://a:9222'],
      ['http://a:9222', 'http://b:9222'],
    ],
    [['ws://a:9222/devtools/browser/1-2'], ['ws://a:9222/devtools/browser/1-2']],
  ])('reads %j', (values, browsers) => expect(parseBrowserOption(values)).toEqual(browsers))

  it.each([
    [['/usr/bin/chromium', '/opt/chromium'], /one Chromium/],
    [['/usr/bin/chromium', 'http://a:9222'], /not both/],
    [['ws://a/devtools/browser/1,ws://b/devtools/browser/2'], /ws:\/\/ URL is valid only until its browser restarts/],
    [['http://a:9222', 'ws://b/devtools/browser/2'], /ws:\/\/ URL is valid only until its browser restarts/],
    [['https://a:9222'], /must be http:\/\/HOST:PORT/],
    [['http://a:9222/path'], /must be http:\/\/HOST:PORT/],
    [['http://user:secret@a:9222'], /must be http:\/\/HOST:PORT/],
    [[Array.from({ length: 33 }, (_, n) => `http://a:${n + 1}`).join()], /at most 32/],
  ])('refuses %j', (values, reason) => expect(() => parseBrowserOption(values)).toThrow(reason))
})

const PATH = '/devtools/browser/80b78dee-9a36-4a99-92e5-efcdb71de479'
/** @see  https://www.rfc-editor.org/rfc/rfc6455#section-1.3 */
const WEB_SOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const { signal } = new AbortController()

const servers: Server[] = []

async function startServer(respond: RequestListener): Promise<number> {
  const server = createServer(respond)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const version = (webSocketDebuggerUrl: string) => JSON.stringify({ Browser: 'Chrome/143', webSocketDebuggerUrl })

it('resolves a name to the address that responds, since Chromium refuses names in the Host header', async () => {
  const hosts: unknown[] = []
  const port = await startServer(({ headers, url }, response) => {
    hosts.push(headers.host, url)
    response.end(version(`ws://${headers.host}${PATH}`))
  })
  expect(await resolveEndpoint(`http://localhost:${port}`, signal)).toBe(`ws://127.0.0.1:${port}${PATH}`)
  expect(hosts).toEqual([`127.0.0.1:${port}`, '/json/version'])
})

it('connects to the host that it was given, even if the response names another', async () => {
  const port = await startServer((_, response) => response.end(version(`ws://10.0.0.1:1${PATH}`)))
  expect(await resolveEndpoint(`http://127.0.0.1:${port}`, signal)).toBe(`ws://127.0.0.1:${port}${PATH}`)
})

it.each<[string, RequestListener, RegExp]>([
  ['another status', (_, response) => response.writeHead(500).end('Host header is specified'), /responds with 500/],
  ['something else', (_, response) => response.end('<title>A site</title>'), /names no browser/],
  ['a path that no browser has', (_, response) => response.end(version('ws://x/../../json/new')), /names no/],
  ['too much', (_, response) => response.end('a'.repeat(1_000_000)), /too long/],
  ['a redirect', (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(), /redirect/],
])('refuses %s', async (_, respond, reason) => {
  const port = await startServer(respond)
  await expect(resolveEndpoint(`http://127.0.0.1:${port}`, signal)).rejects.toThrow(reason)
})

it.each(['{"id":1,', 'null', '{"method":"Target.attachedToTarget"}'])(
  'gives up a browser that sends %j, which cannot be read',
  async (message) => {
    const port = await startServer((_, response) => response.end())
    servers.at(-1)!.on('upgrade', ({ headers }, socket) => {
      const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${WEB_SOCKET_GUID}`).digest('base64')
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      )
      socket.write(Buffer.concat([Buffer.from([0x81, message.length]), Buffer.from(message)]))
      // The answer to the closing frame of the service.
      socket.once('data', () => socket.end(Buffer.from([0x88, 0])))
    })
    const connecting = connectBrowser(`ws://127.0.0.1:${port}${PATH}`, { proxyPublicHost: '127.0.0.1' }, signal)
    await expect(connecting).rejects.toThrow('was closed')
  },
)

it('stops waiting when it is aborted', async () => {
  const abort = new AbortController()
  const port = await startServer(() => abort.abort(new Error('closed')))
  await expect(resolveEndpoint(`http://127.0.0.1:${port}`, abort.signal)).rejects.toThrow('closed')
})

it('leaves a ws:// URL as it is', async () => {
  expect(await resolveEndpoint(`ws://chromium.test:9222${PATH}`, signal)).toBe(`ws://chromium.test:9222${PATH}`)
})

it('is gone at once when it is killed, although a browser that hangs never closes the connection', async () => {
  const remote = await startRemoteChromium()
  onTestFinished(() => remote.stop())
  const options = { proxyPublicHost: '127.0.0.1', allowUnsandboxed: true }
  const browser = await connectBrowser(remote.url, options, signal)
  remote.pause()
  browser.kill()
  expect(browser.gone.aborted).toBe(true)
})

/** A browser whose pages are named after it. */
function fakeBrowser(name: string) {
  const browser = { isRunning: true, canStart: true, retryAfterMs: 500, probes: 0, pages: 0 }
  const supervisor: Supervisor = {
    async lease() {
      if (!browser.canStart) throw new BrowserUnavailableError('gone', browser.retryAfterMs)
      browser.isRunning = true
      browser.pages++
      return { userAgent: name, release: () => void browser.pages-- } as unknown as Lease
    },
    isRunning: () => browser.isRunning,
    async respondsWithin() {
      browser.probes++
      browser.isRunning = browser.canStart
      return browser.canStart
    },
    warm: async () => undefined,
    status: () => ({
      version: browser.isRunning ? '143.0.0.0' : undefined,
      pid: undefined,
      restarts: 0,
      ageSeconds: undefined,
    }),
    close: async () => undefined,
  }
  return { name, browser, supervisor }
}

it('opens each page in the browser with the fewest pages', async () => {
  const [a, b, c] = [fakeBrowser('a'), fakeBrowser('b'), fakeBrowser('c')]
  const all = balanceBrowsers([a.supervisor, b.supervisor, c.supervisor])
  const leases = [await all.lease(signal), await all.lease(signal), await all.lease(signal)]
  expect(leases.map(({ userAgent }) => userAgent)).toEqual(['a', 'b', 'c'])
  leases[1]!.release()
  expect((await all.lease(signal)).userAgent).toBe('b')
  expect([a, b, c].map(({ browser }) => browser.pages)).toEqual([1, 1, 1])
})

it('leaves out a browser that is away, and connects to it in the background', async () => {
  const [a, b] = [fakeBrowser('a'), fakeBrowser('b')]
  const all = balanceBrowsers([a.supervisor, b.supervisor])
  Object.assign(a.browser, { isRunning: false, canStart: false })
  const leases = [await all.lease(signal), await all.lease(signal)]
  expect(leases.map(({ userAgent }) => userAgent)).toEqual(['b', 'b'])
  expect(a.browser.probes).toBe(2)
  expect(await all.respondsWithin(1_000)).toBe(true)
  a.browser.canStart = true
  await all.lease(signal)
  expect((await all.lease(signal)).userAgent).toBe('a')
})

it('tries the next one when a browser cannot open a page', async () => {
  const [a, b] = [fakeBrowser('a'), fakeBrowser('b')]
  a.browser.canStart = false
  expect((await balanceBrowsers([a.supervisor, b.supervisor]).lease(signal)).userAgent).toBe('b')
})

it('says when the first of them is tried again where none is available', async () => {
  const [a, b] = [fakeBrowser('a'), fakeBrowser('b')]
  Object.assign(a.browser, { canStart: false, retryAfterMs: 4_000 })
  Object.assign(b.browser, { canStart: false, retryAfterMs: 1_000 })
  const all = balanceBrowsers([a.supervisor, b.supervisor])
  await expect(all.lease(signal)).rejects.toMatchObject({ name: 'BrowserUnavailableError', retryAfterMs: 1_000 })
  expect(await all.respondsWithin(1_000)).toBe(false)
})

it('is the browser itself where there is one', () => {
  const { supervisor } = fakeBrowser('a')
  expect(balanceBrowsers([supervisor])).toBe(supervisor)
})
