import { Connection, type ConnectionTransport } from 'puppeteer-core'
import { WebSocket } from 'undici'
import { captureScreenshot } from './capture-screenshot.js'
import { handshake } from './handshake.js'
import { findFlagMistakes, recommendedFlags, type RemoteFlagsOptions } from './remote-flags.js'
import { resolveEndpoint } from './resolve-endpoint.js'
import type { RunningBrowser } from './running-browser.js'
import { withinTime } from './within-time.js'

const CONNECT_TIMEOUT_MS = 5_000
const CALL_TIMEOUT_MS = 60_000

export interface ConnectBrowserOptions extends RemoteFlagsOptions {
  signal: AbortSignal
}

/**
 * Connects to a browser that this process has not launched. It must be able to reach the proxies of the pages; closing only
 * disconnects, and the browser then disposes of all contexts of this connection.
 *
 * @param address  `http://HOST:PORT`, or `ws://…/devtools/browser/…` of a browser that is never restarted.
 * @throws         {Error} when the browser cannot be reached, or runs without the flags that the network guard depends on.
 */
export async function connectBrowser(address: string, options: ConnectBrowserOptions): Promise<RunningBrowser> {
  const { host } = new URL(address)
  const endpoint = await resolveEndpoint(address, options.signal).catch((cause: unknown) => {
    throw unreachableError(host, cause)
  })
  const gone = new AbortController()
  const socket = new WebSocket(endpoint)
  socket.addEventListener('close', () => gone.abort(new Error(`The connection to the browser at ${host} was closed.`)))
  const disconnect = () => socket.close()
  let connected: Pick<RunningBrowser, 'connection' | 'userAgent' | 'version'>
  try {
    await withinTime(opened(socket), { timeoutMs: CONNECT_TIMEOUT_MS, signal: options.signal })
    const connection = new Connection(endpoint, createSocketTransport(socket), 0, CALL_TIMEOUT_MS)
    connected = { connection, ...(await handshake(connection, gone.signal)) }
  } catch (cause) {
    disconnect()
    throw unreachableError(host, cause)
  }
  const mistakes = findFlagMistakes(await readCommandLine(connected.connection), options)
  if (mistakes.length) {
    disconnect()
    throw new Error(flagsSentence(host, mistakes, options))
  }
  return {
    ...connected,
    captureScreenshot,
    pid: undefined,
    gone: gone.signal,
    kill: disconnect,
    close: async () => disconnect(),
  }
}

const opened = (socket: WebSocket) =>
  new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', ({ message }) => reject(new Error(message || 'no response')))
  })

/** `undefined` where the browser does not disclose it, because it runs without `--enable-automation`. */
const readCommandLine = (connection: Connection): Promise<string[] | undefined> =>
  connection.send('Browser.getBrowserCommandLine').then(
    ({ arguments: commandLine }) => commandLine,
    () => undefined,
  )

const unreachableError = (host: string, cause: unknown) =>
  new Error(`The browser at ${host} cannot be reached: ${String(cause)}`, { cause })

function flagsSentence(host: string, mistakes: readonly string[], options: RemoteFlagsOptions): string {
  const commandLine = recommendedFlags(options)
    .map((flag) => (/[\s<>*]/.test(flag) ? `'${flag}'` : flag))
    .join(' ')
  return (
    `The browser at ${host} is refused, because pages could reach private addresses or leave the sandbox: ${mistakes.join(', ')}. ` +
    `Start it with: chromium-headless-shell ${commandLine}`
  )
}

function createSocketTransport(socket: WebSocket): ConnectionTransport {
  const transport: ConnectionTransport = { send: (message) => socket.send(message), close: () => socket.close() }
  socket.addEventListener('message', ({ data }) => transport.onmessage?.(String(data)))
  socket.addEventListener('close', () => transport.onclose?.())
  return transport
}
