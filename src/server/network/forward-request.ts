import { request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { CheckedTarget, Guard } from './guard.js'
import { badRequest, refuse, REFUSED_HEADER, type Refusal } from './refusal.js'

const CONNECT_TIMEOUT_MS = 10_000

/** https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 and the ones that were meant for the proxy. */
const HOP_BY_HOP = new Set(
  'connection keep-alive te trailer transfer-encoding upgrade proxy-connection proxy-authenticate proxy-authorization'.split(
    ' ',
  ),
)

/** Forwards one plain http request of the browser to the address that the guard checked. Never rejects. */
export async function forwardRequest(request: IncomingMessage, response: ServerResponse, guard: Guard): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  request.on('error', () => gone.abort())
  try {
    const url = /^http:\/\//i.test(request.url ?? '') ? new URL(request.url!) : undefined
    if (!url) return answer(response, badRequest)
    const target = await guard.check(url, { signal: gone.signal })
    const upstream = await exchange(request, { url, target, signal: gone.signal })
    response.writeHead(upstream.statusCode!, upstream.statusMessage, endToEnd(upstream, [REFUSED_HEADER]))
    await pipeline(upstream, response)
  } catch (error) {
    // Bytes that were sent already cannot be taken back: a cut connection is how HTTP says that a body is not whole.
    if (response.headersSent) response.destroy()
    else answer(response, refuse(error))
  }
}

interface Exchange {
  url: URL
  target: CheckedTarget
  signal: AbortSignal
}

function exchange(request: IncomingMessage, { url, target, signal }: Exchange): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const upstream = sendRequest({
      host: target.address,
      family: target.family,
      port: target.port,
      method: request.method,
      path: url.pathname + url.search,
      headers: [...endToEnd(request, ['host']), 'host', url.host, 'connection', 'close', ...framing(request)],
      agent: false,
      signal,
    })
    const timer = setTimeout(() => upstream.destroy(new Error('not connected in time')), CONNECT_TIMEOUT_MS)
    upstream.on('socket', (socket) => socket.once('connect', () => clearTimeout(timer)))
    upstream.on('close', () => clearTimeout(timer))
    upstream.on('response', resolve)
    upstream.on('error', reject)
    // Not `pipeline`: that would tear down the client with the target, and with it the answer that says so.
    request.pipe(upstream)
  })
}

/** Raw names and values, so that several `set-cookie` stay several. */
function endToEnd({ rawHeaders, headers }: IncomingMessage, without: readonly string[]): string[] {
  const dropped = new Set(without)
  for (const name of (headers.connection ?? '').split(',')) dropped.add(name.trim().toLowerCase())
  const kept: string[] = []
  for (const [at, name] of rawHeaders.entries()) {
    const isName = at % 2 === 0
    if (isName && !HOP_BY_HOP.has(name.toLowerCase()) && !dropped.has(name.toLowerCase()))
      kept.push(...rawHeaders.slice(at, at + 2))
  }
  return kept
}

/** Node frames a body by itself for some methods only; one without frame would be read as the next request. */
const framing = ({ headers }: IncomingMessage) => (headers['transfer-encoding'] ? ['transfer-encoding', 'chunked'] : [])

function answer(response: ServerResponse, { statusCode, headers, body }: Refusal): void {
  if (!response.destroyed) response.writeHead(statusCode, headers).end(body)
}
