import { request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { CheckedTarget, Guard } from './create-guard.js'
import {
  badRequestResponse,
  proxyErrorResponse,
  REFUSED_HEADER,
  type ProxyErrorResponse,
} from './proxy-error-response.js'
import { startWithBudget, type OptionalBudget } from './with-budget.js'

const CONNECT_TIMEOUT_MS = 10_000

/** The hop-by-hop headers of https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 and the `proxy-*` headers. */
const HOP_BY_HOP = new Set(
  'connection keep-alive te trailer transfer-encoding upgrade proxy-connection proxy-authenticate proxy-authorization'.split(
    ' ',
  ),
)

/** Forwards a plain http request of the browser to the address that the guard checked. Never rejects. */
export async function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { guard, budget }: { guard: Guard; budget: OptionalBudget },
): Promise<void> {
  const clientGone = new AbortController()
  response.once('close', () => clientGone.abort())
  request.on('error', () => clientGone.abort())
  try {
    const url = /^http:\/\//i.test(request.url ?? '') ? new URL(request.url!) : undefined
    if (!url) return refuseRequest(response, badRequestResponse)
    response.once('close', startWithBudget(budget, url.host))
    const target = await guard.check(url, { signal: clientGone.signal })
    budget?.countBytes(request.rawHeaders.reduce((bytes, text) => bytes + text.length, url.href.length))
    request.on('data', (chunk: Buffer) => budget?.countBytes(chunk.length))
    const upstream = await requestUpstream(request, { url, target, signal: clientGone.signal })
    response.writeHead(upstream.statusCode!, upstream.statusMessage, endToEnd(upstream, [REFUSED_HEADER]))
    upstream.on('data', (chunk: Buffer) => budget?.countBytes(chunk.length))
    await pipeline(upstream, response)
  } catch (error) {
    // After the headers, closing the connection is the only way to signal to the client that the body is incomplete.
    if (response.headersSent) response.destroy()
    else refuseRequest(response, proxyErrorResponse(error))
  }
}

interface UpstreamOptions {
  url: URL
  target: CheckedTarget
  signal: AbortSignal
}

function requestUpstream(request: IncomingMessage, { url, target, signal }: UpstreamOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const upstream = sendRequest({
      host: target.address,
      family: target.family,
      port: target.port,
      method: request.method,
      path: url.pathname + url.search,
      headers: [...endToEnd(request, ['host']), 'host', url.host, 'connection', 'close', ...framingHeaders(request)],
      agent: false,
      signal,
    })
    const timer = setTimeout(() => upstream.destroy(new Error('the connection timed out')), CONNECT_TIMEOUT_MS)
    upstream.on('socket', (socket) => socket.once('connect', () => clearTimeout(timer)))
    upstream.on('close', () => clearTimeout(timer))
    upstream.on('response', resolve)
    upstream.on('error', reject)
    // Not `pipeline`, which would destroy the client's connection when the target fails, before the error response is sent.
    request.pipe(upstream)
  })
}

/** The end-to-end headers as raw names and values, so that repeated headers such as `set-cookie` stay apart. */
function endToEnd({ rawHeaders, headers }: IncomingMessage, without: readonly string[]): string[] {
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

/** Responds without forwarding anything. */
export function refuseRequest(response: ServerResponse, { statusCode, headers, body }: ProxyErrorResponse): void {
  if (!response.destroyed) response.writeHead(statusCode, headers).end(body)
}
