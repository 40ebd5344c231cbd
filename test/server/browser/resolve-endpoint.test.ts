import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { resolveEndpoint } from '../../../src/server/browser/resolve-endpoint.js'

const PATH = '/devtools/browser/80b78dee-9a36-4a99-92e5-efcdb71de479'
const { signal } = new AbortController()

async function startServer(respond: RequestListener): Promise<number> {
  const server = createServer(respond)
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

it('connects to the host that it was given, whatever that responds', async () => {
  const port = await startServer((_, response) => response.end(version(`ws://10.0.0.1:1${PATH}`)))
  expect(await resolveEndpoint(`http://127.0.0.1:${port}`, signal)).toBe(`ws://127.0.0.1:${port}${PATH}`)
})

it.each<[string, RequestListener, RegExp]>([
  ['another status', (_, response) => response.writeHead(500).end('Host header is specified'), /responds with 500/],
  ['something else', (_, response) => response.end('<title>A site</title>'), /names no browser/],
  ['a path that is none of a browser', (_, response) => response.end(version('ws://x/../../json/new')), /names no/],
  ['too much', (_, response) => response.end('a'.repeat(1_000_000)), /too long/],
  ['a redirect', (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(), /redirect/],
])('refuses %s', async (_, respond, reason) => {
  const port = await startServer(respond)
  await expect(resolveEndpoint(`http://127.0.0.1:${port}`, signal)).rejects.toThrow(reason)
})

it('stops waiting when it is aborted', async () => {
  const abort = new AbortController()
  const port = await startServer(() => abort.abort(new Error('closed')))
  await expect(resolveEndpoint(`http://127.0.0.1:${port}`, abort.signal)).rejects.toThrow('closed')
})

it('leaves a ws:// URL as it is', async () => {
  expect(await resolveEndpoint(`ws://chromium.test:9222${PATH}`, signal)).toBe(`ws://chromium.test:9222${PATH}`)
})
