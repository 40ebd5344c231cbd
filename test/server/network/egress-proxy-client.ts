import { once } from 'node:events'
import { get, request as sendRequest, type IncomingHttpHeaders } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import {
  createGuard,
  startEgressProxy,
  type EgressProxy,
  type GuardOptions,
} from '../../../src/server/network/index.js'
import { localSite, type LocalSite, type Route } from '../../local-site.js'

export async function site(routes: Record<string, Route>): Promise<LocalSite> {
  const site = await localSite(routes)
  onTestFinished(() => site.close())
  return site
}

export async function proxyFor(options: GuardOptions): Promise<EgressProxy> {
  const proxy = await startEgressProxy(createGuard(options))
  onTestFinished(() => proxy.close())
  return proxy
}

/** A server that speaks something else than HTTP, and its sockets. */
export async function tcpServer(
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

export const unresolved = () => Promise.reject(new Error('ENOTFOUND'))

interface Answer {
  statusCode: number
  headers: IncomingHttpHeaders
  body: string
}

export function through(proxy: EgressProxy, url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(proxy.url)
    const sent = get({ hostname, port, path: url, headers: { host: new URL(url).host, ...headers } }, (response) => {
      text(response).then(
        (body) => resolve({ statusCode: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      )
    })
    sent.on('error', reject)
  })
}

export function tunnel(
  proxy: EgressProxy,
  authority: string,
): Promise<{ statusCode: number; socket: Socket; refused: unknown }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(proxy.url)
    const sent = sendRequest({ hostname, port, method: 'CONNECT', path: authority })
    sent.on('connect', (response, socket: Socket) => {
      socket.on('error', () => socket.destroy())
      onTestFinished(() => void socket.destroy())
      resolve({ statusCode: response.statusCode ?? 0, socket, refused: response.headers['x-page-preview-refused'] })
    })
    sent.on('error', reject)
    sent.end()
  })
}

export async function rawExchange(proxy: EgressProxy, bytes: string | Buffer): Promise<string> {
  const socket = connect({ port: Number(new URL(proxy.url).port), host: '127.0.0.1' })
  socket.on('error', () => socket.destroy())
  onTestFinished(() => void socket.destroy())
  socket.write(bytes)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

/** A port where nobody listens. */
export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
