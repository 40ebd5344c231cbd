// A client of the egress proxy and the servers behind it, for the tests of this folder.
import { once } from 'node:events'
import { get, request as sendRequest, type IncomingHttpHeaders } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { CaptureBudget } from '../../../src/server/budget/index.js'
import { createGuard } from '../../../src/server/network/index.js'
import { startEgressProxy, type EgressProxy } from '../../../src/server/network/egress-proxy.js'
import type { GuardOptions } from '../../../src/server/network/guard.js'
import { localSite, type LocalSite, type Route } from '../../local-site.js'

export async function startSite(routes: Record<string, Route>): Promise<LocalSite> {
  const site = await localSite(routes)
  onTestFinished(() => site.close())
  return site
}

export async function startProxy(options: GuardOptions, budget?: CaptureBudget): Promise<EgressProxy> {
  const proxy = await startEgressProxy(createGuard(options), { budget })
  onTestFinished(() => proxy.close())
  return proxy
}

/** Starts a raw TCP server and returns its port. */
export async function startTcpServer(
  onConnection: (socket: Socket) => void,
  server: Server = createServer(),
): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
  })
  server.on('connection', onConnection)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return (server.address() as AddressInfo).port
}

/** A resolver that knows no name. */
export const resolveNothing = () => Promise.reject(new Error('ENOTFOUND'))

interface ProxyResponse {
  statusCode: number
  headers: IncomingHttpHeaders
  body: string
}

/** Sends a GET request through the proxy. */
export function getThrough(
  proxy: EgressProxy,
  url: string,
  headers: Record<string, string> = {},
): Promise<ProxyResponse> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(proxy.url)
    const options = {
      hostname,
      port,
      path: url,
      headers: { host: new URL(url).host, ...headers },
      maxHeaderSize: 270_000,
    }
    const sent = get(options, (response) => {
      text(response).then(
        (body) => resolve({ statusCode: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      )
    })
    sent.on('error', reject)
  })
}

/** Opens a tunnel with `CONNECT`. */
export function openTunnelThrough(
  proxy: EgressProxy,
  authority: string,
  headers: Record<string, string> = {},
): Promise<{ statusCode: number; socket: Socket; refused: unknown }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(proxy.url)
    const sent = sendRequest({ hostname, port, method: 'CONNECT', path: authority, headers })
    sent.on('connect', (response, socket: Socket) => {
      socket.on('error', () => socket.destroy())
      onTestFinished(() => void socket.destroy())
      resolve({ statusCode: response.statusCode ?? 0, socket, refused: response.headers['x-page-preview-refused'] })
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** Sends bytes to the proxy and returns everything that it sends back until it closes the connection. */
export async function sendRaw(proxy: EgressProxy, bytes: string | Buffer): Promise<string> {
  const socket = connect({ port: Number(new URL(proxy.url).port), host: new URL(proxy.url).hostname })
  socket.on('error', () => socket.destroy())
  onTestFinished(() => void socket.destroy())
  socket.write(bytes)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

/** A port on which nothing listens. */
export async function findClosedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
