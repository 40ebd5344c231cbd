import { Connection, type ConnectionTransport } from 'puppeteer-core'
import { WebSocket } from 'undici'
import { abortable } from './abortable.js'
import { greet } from './greet.js'
import type { RunningBrowser } from './running-browser.js'

const CONNECT_TIMEOUT_MS = 10_000
const CALL_TIMEOUT_MS = 60_000

/**
 * Uses a browser that someone else runs. It must be able to reach the proxy; it is left running.
 *
 * @param endpoint  `ws://…/devtools/browser/…`
 * @throws          {Error} when it cannot be reached.
 */
export async function connectBrowser(endpoint: string): Promise<RunningBrowser> {
  const end = new AbortController()
  const socket = new WebSocket(endpoint)
  socket.addEventListener('close', () => end.abort(new Error('The connection to the browser ended.')))
  const opened = new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', ({ message }) => reject(new Error(message || 'no answer')))
  })
  try {
    await abortable(opened, AbortSignal.timeout(CONNECT_TIMEOUT_MS))
    const connection = new Connection(endpoint, socketTransport(socket), 0, CALL_TIMEOUT_MS)
    const { userAgent } = await greet(connection, end.signal)
    const kill = () => socket.close()
    return { connection, userAgent, pid: undefined, gone: end.signal, kill, close: async () => kill() }
  } catch (cause) {
    socket.close()
    throw new Error(`The browser at ${new URL(endpoint).host} cannot be reached: ${String(cause)}`, { cause })
  }
}

function socketTransport(socket: WebSocket): ConnectionTransport {
  const transport: ConnectionTransport = { send: (message) => socket.send(message), close: () => socket.close() }
  socket.addEventListener('message', ({ data }) => transport.onmessage?.(String(data)))
  socket.addEventListener('close', () => transport.onclose?.())
  return transport
}
