import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { STATUS_CODES } from 'node:http'
import type { CheckedTarget, Guard } from './guard.js'
import { badRequest, refuse, type Refusal } from './refusal.js'

const CONNECT_TIMEOUT_MS = 10_000
const IDLE_TIMEOUT_MS = 60_000

export interface TunnelOptions {
  /** `HOST:PORT`, as `CONNECT` names it. */
  authority: string
  /** What the client sent before it was answered. */
  head: Buffer
  guard: Guard
}

/** Connects a client to the address that the guard checked, until one of both is gone. Never rejects. */
export async function openTunnel(client: Duplex, { authority, head, guard }: TunnelOptions): Promise<void> {
  const gone = new AbortController()
  client.on('error', () => client.destroy())
  client.once('close', () => gone.abort())
  try {
    if (!/^[^/@\s]+:\d{1,5}$/.test(authority)) return answer(client, badRequest)
    const target = await guard.check(`http://${authority}`, { signal: gone.signal })
    const upstream = await dial(target, gone.signal)
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    if (head.length) upstream.write(head)
    join(client, upstream)
  } catch (error) {
    answer(client, refuse(error))
  }
}

function dial({ address, port, family }: CheckedTarget, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, family, allowHalfOpen: true, noDelay: true })
    const timer = setTimeout(() => socket.destroy(new Error('not connected in time')), CONNECT_TIMEOUT_MS)
    const onAbort = () => socket.destroy()
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    socket.once('connect', () => {
      clearTimeout(timer)
      resolve(socket)
    })
    // Stays for the life of the socket: a reset may come at any time.
    socket.on('error', reject)
    socket.once('close', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      reject(new Error('closed before it was connected'))
    })
  })
}

/** Each side may end before the other (half-open); a side that is torn down takes the other with it. */
function join(client: Duplex, upstream: Socket): void {
  client.pipe(upstream)
  upstream.pipe(client)
  client.once('close', () => upstream.destroy())
  upstream.once('close', () => client.destroy())
  upstream.setTimeout(IDLE_TIMEOUT_MS, () => upstream.destroy())
}

function answer(client: Duplex, { statusCode, headers, body }: Refusal): void {
  if (client.destroyed) return
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  client.end(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${lines.join('')}\r\n${body}`, () =>
    client.destroy(),
  )
}
