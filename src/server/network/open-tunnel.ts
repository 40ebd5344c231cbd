import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { STATUS_CODES } from 'node:http'
import type { CheckedTarget, Guard } from './create-guard.js'
import { badRequestResponse, proxyErrorResponse, type ProxyErrorResponse } from './proxy-error-response.js'
import { startWithBudget, type OptionalBudget } from './with-budget.js'

const CONNECT_TIMEOUT_MS = 10_000
const IDLE_TIMEOUT_MS = 60_000

export interface TunnelOptions {
  /** `HOST:PORT`, from the `CONNECT` request. */
  authority: string
  /** Bytes that the client sent before the response to `CONNECT`. */
  head: Buffer
  guard: Guard
  budget: OptionalBudget
}

/** Connects a client to the address that the guard checked, until either side closes. Never rejects. */
export async function openTunnel(client: Duplex, { authority, head, guard, budget }: TunnelOptions): Promise<void> {
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

/** Responds to `CONNECT` without opening anything. */
export function refuseTunnel(client: Duplex, { statusCode, headers, body }: ProxyErrorResponse): void {
  if (client.destroyed) return
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  client.end(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${lines.join('')}\r\n${body}`, () =>
    client.destroy(),
  )
}
