import {
  createServer,
  request as sendRequest,
  STATUS_CODES,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hasLongHost } from '../../query/help/index.js'
import { isPageError, PageError } from '../../query/index.js'
import { createCaptureBudget, type CaptureBudget } from '../budget/index.js'
import { BoundedRequest, MAX_HEADER_BYTES, MAX_RESPONSE_HEADER_BYTES } from './bounded-request.js'
import type { CheckedTarget, Guard } from './guard.js'
import { CONTROLS, isSloppyResponseError, requestSloppy } from './sloppy-response.js'

/** The forward proxy that all traffic of the browser goes through. */
export interface EgressProxy {
  /** `http://127.0.0.1:PORT`, for `--proxy-server`. */
  url: string
  /** Closes every connection at once. */
  close(): Promise<void>
}

export interface EgressProxyOptions {
  /** Counts the traffic; once it is exhausted, all connections and new ones are closed. Default: the traffic is not counted. */
  budget?: CaptureBudget | undefined
}

/** An egress proxy for each page, because a shared one could not determine which page a request belongs to. */
export interface PageProxies {
  open(): Promise<EgressProxy & { budget: CaptureBudget }>
  /** Closes the proxies that are still open, for example after the browser has exited. */
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'
const MAX_CONNECTIONS = 1_024
const IDLE_TIMEOUT_MS = 60_000
const CONNECT_TIMEOUT_MS = 10_000

/** Carries the error code to the capture that reads the response; removed from what targets send. */
export const REFUSED_HEADER = 'x-page-preview-refused'

/** The hop-by-hop headers of https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 and the `proxy-*` headers. */
const HOP_BY_HOP = new Set(
  'connection keep-alive te trailer transfer-encoding upgrade proxy-connection proxy-authenticate proxy-authorization'.split(
    ' ',
  ),
)

export function createPageProxies(guard: Guard): PageProxies {
  const openProxies = new Set<EgressProxy>()
  return {
    async open() {
      const budget = createCaptureBudget()
      const proxy = await startEgressProxy(guard.forPage(), { budget })
      openProxies.add(proxy)
      const close = () => {
        openProxies.delete(proxy)
        return proxy.close()
      }
      return { ...proxy, budget, close }
    },
    async close() {
      await Promise.all([...openProxies].map((proxy) => proxy.close()))
      openProxies.clear()
    },
  }
}

/**
 * Starts a forward proxy. The guard checks each request and each tunnel (https, ws, wss), which then goes to exactly the checked
 * address. The response to a forbidden target is 403, to any other failure 502 or 504, with the error code in
 * `x-page-preview-refused`.
 *
 * It listens on loopback and needs no credentials: only programs of this machine reach it, and it reaches nothing that is not public.
 */
export async function startEgressProxy(guard: Guard, { budget }: EgressProxyOptions = {}): Promise<EgressProxy> {
  const egress: Egress = { guard, budget }
  const sockets = new Set<Socket>()
  const server = createServer({
    IncomingMessage: BoundedRequest,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 10_000,
    requestTimeout: 60_000,
  })
  server.maxConnections = MAX_CONNECTIONS
  server.timeout = IDLE_TIMEOUT_MS

  server.on('connection', (socket) => {
    if (budget?.exhausted.aborted) {
      socket.destroy()
      return
    }
    sockets.add(socket)
    // The server removes its own listeners from the socket of a tunnel, so errors need one here.
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('request', (request, response) => void forwardRequest(request, response, egress))
  server.on(
    'connect',
    (request: IncomingMessage, client: Duplex, head: Buffer) =>
      void openTunnel(client, request.url ?? '', head, egress),
  )
  server.on('clientError', (_, socket) => {
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () => socket.destroy())
  })

  const closeSockets = () => sockets.forEach((socket) => socket.destroy())
  budget?.exhausted.addEventListener('abort', closeSockets, { once: true })

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, LOOPBACK, resolve)
  })
  return {
    url: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        closeSockets()
      }),
  }
}

/** What decides about each request and tunnel, and counts it. */
interface Egress {
  guard: Guard
  budget: CaptureBudget | undefined
}

/** Forwards a plain http request of the browser to the address that the guard checked. Never rejects. */
async function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { guard, budget }: Egress,
): Promise<void> {
  const clientGone = new AbortController()
  response.once('close', () => clientGone.abort())
  request.on('error', () => clientGone.abort())
  try {
    const { url: address = '' } = request
    const url = /^http:\/\//i.test(address) && !hasLongHost(address) ? new URL(address) : undefined
    if (!url) return refuseRequest(response, badRequestResponse)
    response.once('close', startWithBudget(budget, url.host))
    const target = await guard.check(url, { signal: clientGone.signal })
    budget?.countBytes(request.rawHeaders.reduce((bytes, text) => bytes + text.length, url.href.length))
    request.on('data', (chunk: Buffer) => budget?.countBytes(chunk.length))
    const upstream = await requestUpstream(request, url, target, clientGone.signal).catch((error: unknown) => {
      // Only a request without a body can be sent again.
      if (!isSloppyResponseError(error) || !/^(GET|HEAD)$/.test(request.method!)) throw error
      return requestUpstreamAgain(request, url, target, clientGone.signal)
    })
    response.writeHead(upstream.statusCode, upstream.statusMessage, upstream.rawHeaders)
    upstream.body.on('data', (chunk: Buffer) => budget?.countBytes(chunk.length))
    await pipeline(upstream.body, response)
  } catch (error) {
    // After the headers, closing the connection is the only way to signal to the client that the body is incomplete.
    if (response.headersSent) response.destroy()
    else refuseRequest(response, proxyErrorResponse(error))
  }
}

/** What is passed on of a response: the end-to-end headers, and the body. */
interface Upstream {
  statusCode: number
  statusMessage: string
  rawHeaders: string[]
  body: Readable
}

/** Reads the response of a server whose HTTP is not valid, as the browser would without a proxy. */
async function requestUpstreamAgain(
  request: IncomingMessage,
  url: URL,
  target: CheckedTarget,
  signal: AbortSignal,
): Promise<Upstream> {
  const { rawHeaders, headers, ...response } = await requestSloppy(url, target, {
    method: request.method,
    rawHeaders: endToEnd(request, ['host']),
    signal,
  })
  const connection = [headers.connection ?? []].flat().join()
  return { ...response, rawHeaders: endToEnd({ rawHeaders, headers: { connection } }, [REFUSED_HEADER]) }
}

function requestUpstream(
  request: IncomingMessage,
  url: URL,
  target: CheckedTarget,
  signal: AbortSignal,
): Promise<Upstream> {
  return new Promise((resolve, reject) => {
    const upstream = sendRequest({
      host: target.address,
      family: target.family,
      port: target.port,
      method: request.method,
      path: url.pathname + url.search,
      headers: [...endToEnd(request, ['host']), 'host', url.host, 'connection', 'close', ...framingHeaders(request)],
      agent: false,
      maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
      signal,
    })
    const timer = setTimeout(() => upstream.destroy(new Error('the connection timed out')), CONNECT_TIMEOUT_MS)
    upstream.on('socket', (socket) => socket.once('connect', () => clearTimeout(timer)))
    upstream.on('response', (response) => {
      // No request asks for another protocol: `upgrade` is not forwarded.
      const { statusCode = 502 } = response
      // Node reads a reason that it refuses to write.
      const statusMessage = (response.statusMessage ?? '').replace(CONTROLS, '')
      if (statusCode === 101) upstream.destroy()
      else resolve({ statusCode, statusMessage, rawHeaders: endToEnd(response, [REFUSED_HEADER]), body: response })
    })
    upstream.on('error', reject)
    upstream.on('close', () => {
      clearTimeout(timer)
      // Node reports a target that switches protocols by this event alone.
      reject(new Error('the connection was closed before a response'))
    })
    // Not `pipeline`, which would destroy the client's connection when the target fails, before the error response is sent.
    request.pipe(upstream)
  })
}

/** The end-to-end headers as raw names and values, so that repeated headers such as `set-cookie` stay apart. */
function endToEnd(
  { rawHeaders, headers }: Pick<IncomingMessage, 'rawHeaders'> & { headers: { connection?: string | undefined } },
  without: readonly string[],
): string[] {
  const excluded = new Set([...HOP_BY_HOP, ...without])
  for (const name of (headers.connection ?? '').split(',')) excluded.add(name.trim().toLowerCase())
  const endToEndHeaders: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name, value] = rawHeaders.slice(index, index + 2) as [string, string]
    if (!excluded.has(name.toLowerCase())) endToEndHeaders.push(name, value)
  }
  return endToEndHeaders
}

/** Node adds this header for some methods only; the target would parse an unframed body as the next request. */
const framingHeaders = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] ? ['transfer-encoding', 'chunked'] : []

/**
 * Connects a client to the address that the guard checked, until either side closes. Never rejects.
 *
 * @param authority  `HOST:PORT`, from the `CONNECT` request.
 * @param head       Bytes that the client sent before the response to `CONNECT`.
 */
async function openTunnel(client: Duplex, authority: string, head: Buffer, { guard, budget }: Egress): Promise<void> {
  const clientGone = new AbortController()
  client.on('error', () => client.destroy())
  client.once('close', () => clientGone.abort())
  try {
    if (!/^[^/@\s]+:\d{1,5}$/.test(authority)) return refuseTunnel(client, badRequestResponse)
    client.once('close', startWithBudget(budget, authority))
    const target = await guard.check(`http://${authority}`, { signal: clientGone.signal })
    const upstream = await connectTo(target, clientGone.signal)
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    if (head.length) upstream.write(head)
    const countBytes = (chunk: Buffer) => budget?.countBytes(chunk.length)
    client.on('data', countBytes)
    upstream.on('data', countBytes)
    pipeBothWays(client, upstream)
  } catch (error) {
    refuseTunnel(client, proxyErrorResponse(error))
  }
}

function connectTo({ address, port, family }: CheckedTarget, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, family, allowHalfOpen: true, noDelay: true })
    const timer = setTimeout(() => socket.destroy(new Error('the connection timed out')), CONNECT_TIMEOUT_MS)
    const onAbort = () => socket.destroy()
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    socket.once('connect', () => {
      clearTimeout(timer)
      resolve(socket)
    })
    // Never removed, because the socket may be reset at any time and an unhandled error would end the process.
    socket.on('error', reject)
    socket.once('close', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      reject(new Error('the connection was closed before it was established'))
    })
  })
}

/** Either side may end its half first; when one is destroyed, the other is too. */
function pipeBothWays(client: Duplex, upstream: Socket): void {
  client.pipe(upstream)
  upstream.pipe(client)
  client.once('close', () => upstream.destroy())
  upstream.once('close', () => client.destroy())
  upstream.setTimeout(IDLE_TIMEOUT_MS, () => upstream.destroy())
}

/**
 * Counts a request or tunnel of a capture until it ends.
 *
 * @returns  Ends the count of its connection.
 * @throws   {PageError} `ETOOLARGE` when it is beyond the budget.
 */
function startWithBudget(budget: Egress['budget'], host: string): () => void {
  if (!budget) return () => undefined
  const end = budget.countRequest('proxy') ? budget.openConnection(host) : undefined
  if (!end) throw new PageError('ETOOLARGE', 'The page has used up the budget of its capture.')
  return end
}

/** The response to a request that cannot be forwarded. */
interface RefusedResponse {
  statusCode: 400 | 403 | 502 | 504
  headers: Record<string, string>
  body: string
}

/** The response to a request that does not use the proxy as a proxy. */
const badRequestResponse = refusedResponse(400, 'This is a forward proxy.')

/** @param error  Thrown by the guard, or by the connection to the target. */
function proxyErrorResponse(error: unknown): RefusedResponse {
  if (!isPageError(error))
    return refusedResponse(502, 'The target did not respond.', { [REFUSED_HEADER]: 'EUNREACHABLE' })
  const statusCode = error.code === 'EFORBIDDENURL' ? 403 : error.code === 'ETIMEOUT' ? 504 : 502
  return refusedResponse(statusCode, error.code, { [REFUSED_HEADER]: error.code })
}

function refusedResponse(
  statusCode: RefusedResponse['statusCode'],
  body: string,
  headers: Record<string, string> = {},
): RefusedResponse {
  return {
    statusCode,
    body,
    headers: { 'content-type': 'text/plain', 'content-length': String(body.length), connection: 'close', ...headers },
  }
}

/** Responds without forwarding anything. */
function refuseRequest(response: ServerResponse, { statusCode, headers, body }: RefusedResponse): void {
  // With its own reason, because that of an upstream response may be what could not be written.
  if (!response.destroyed) response.writeHead(statusCode, STATUS_CODES[statusCode], headers).end(body)
}

/** Responds to `CONNECT` without opening anything. */
function refuseTunnel(client: Duplex, { statusCode, headers, body }: RefusedResponse): void {
  if (client.destroyed) return
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  client.end(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${lines.join('')}\r\n${body}`, () =>
    client.destroy(),
  )
}
