import { Connection, type ConnectionTransport } from 'puppeteer-core'
import { WebSocket } from 'undici'
import { abortable } from './abortable.js'
import { handshake } from './handshake.js'
import type { RunningBrowser } from './running-browser.js'

const CONNECT_TIMEOUT_MS = 10_000
const CALL_TIMEOUT_MS = 60_000

/**
 * Connects to an external browser, which this process has not launched. It must be able to reach the proxy; closing only disconnects.
 *
 * @param endpoint  `ws://…/devtools/browser/…`
 * @throws          {Error} when the browser cannot be reached.
 */
export async function connectBrowser(endpoint: string): Promise<RunningBrowser> {
  const gone = new AbortController()
  const socket = new WebSocket(endpoint)
  socket.addEventListener('close', () => gone.abort(new Error('The connection to the browser was closed.')))
  const opened = new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', ({ message }) => reject(new Error(message || 'no response')))
  })
  try {
    await abortable(opened, AbortSignal.timeout(CONNECT_TIMEOUT_MS))
    const connection = new Connection(endpoint, createSocketTransport(socket), 0, CALL_TIMEOUT_MS)
    const { userAgent, version } = await handshake(connection, gone.signal)
    const disconnect = () => socket.close()
    return {
      connection,
      userAgent,
      version,
      pid: undefined,
      gone: gone.signal,
      kill: disconnect,
      close: async () => disconnect(),
    }
  } catch (cause) {
    socket.close()
    throw new Error(`The browser at ${new URL(endpoint).host} cannot be reached: ${String(cause)}`, { cause })
  }
}

function createSocketTransport(socket: WebSocket): ConnectionTransport {
  const transport: ConnectionTransport = { send: (message) => socket.send(message), close: () => socket.close() }
  socket.addEventListener('message', ({ data }) => transport.onmessage?.(String(data)))
  socket.addEventListener('close', () => transport.onclose?.())
  return transport
}
