import { canParseUrl } from '../../query/can-parse-url.js'
import { lookup } from 'node:dns/promises'
import { isIPv6 } from 'node:net'
import type { Connection, ConnectionTransport } from 'puppeteer-core'
import { WebSocket } from 'undici'
import { findFlagMistakes, recommendedFlags } from './chromium-flags.js'
import { createConnection, handshake, type CaptureScreenshot, type RunningBrowser } from './running-browser.js'
import { withinTime } from './abortable.js'
import { passMessage } from './pipe-transport.js'

/** Whether an option names a browser that runs already, `http://HOST:PORT` or `ws://…`, and not a file to launch. */
export const isRemoteBrowser = (browser: string): boolean => /^(https?|wss?):\/\//i.test(browser)

const MAX_BROWSERS = 32

/**
 * Reads `--browser`: the path of one Chromium, or the addresses of browsers that run already.
 *
 * @param values  Each may contain several addresses, separated by commas.
 * @throws        {Error} with the end of a sentence that begins with the name of the option.
 */
export function parseBrowserOption(values: readonly string[]): string[] {
  const browsers = [...new Set(values.flatMap((value) => (isRemoteBrowser(value) ? value.split(/[\s,]+/) : [value])))]
  const addresses = browsers.filter(isRemoteBrowser)
  if (!addresses.length && browsers.length === 1) return browsers
  if (addresses.length !== browsers.length)
    throw new Error('must be the path of one Chromium, or addresses like http://HOST:PORT, and not both')
  if (addresses.length > MAX_BROWSERS) throw new Error(`must be at most ${MAX_BROWSERS} addresses`)
  const webSocket = addresses.find((address) => /^wss?:/i.test(address))
  if (webSocket && addresses.length > 1)
    throw new Error(
      'must be http://HOST:PORT for each of several browsers, because a ws:// URL is valid only until its browser restarts',
    )
  if (!webSocket && !addresses.every(isBrowserAddress))
    throw new Error('must be http://HOST:PORT, without a path and a password')
  return addresses
}

function isBrowserAddress(address: string): boolean {
  if (!canParseUrl(address)) return false
  const { protocol, pathname, search, hash, username, password } = new URL(address)
  return protocol === 'http:' && pathname === '/' && !(search || hash || username || password)
}

const CONNECT_TIMEOUT_MS = 5_000

/**
 * Connects to a browser that this process has not launched. It must be able to reach the proxies of the pages; closing only
 * disconnects, and the browser then disposes of all contexts of this connection.
 *
 * @param address  `http://HOST:PORT`, or `ws://…/devtools/browser/…` of a browser that is never restarted.
 * @throws         {Error} when the browser cannot be reached, or runs without the flags that the network guard depends on.
 */
export async function connectBrowser(
  address: string,
  options: {
    /** Name or address by which the browser reaches the proxies. */
    proxyPublicHost: string
    /** Whether the browser may run without its sandbox. Default: false. */
    allowUnsandboxed?: boolean | undefined
  },
  signal: AbortSignal,
): Promise<RunningBrowser> {
  const { host } = new URL(address)
  const endpoint = await resolveEndpoint(address, signal).catch((cause: unknown) => {
    throw unreachableError(host, cause)
  })
  const gone = new AbortController()
  const socket = new WebSocket(endpoint)
  const giveUp = (reason: string) => gone.abort(new Error(`The connection to the browser at ${host} was ${reason}.`))
  socket.addEventListener('close', () => giveUp('closed'))
  const disconnect = () => socket.close()
  let connected: Pick<RunningBrowser, 'connection' | 'userAgent' | 'version'>
  try {
    await withinTime(opened(socket), { timeoutMs: CONNECT_TIMEOUT_MS, signal })
    const connection = createConnection(createSocketTransport(socket), endpoint)
    connected = { connection, ...(await handshake(connection, gone.signal)) }
  } catch (cause) {
    disconnect()
    throw unreachableError(host, cause)
  }
  const mistakes = findFlagMistakes(await readCommandLine(connected.connection), options)
  if (mistakes.length) {
    disconnect()
    throw new Error(flagsSentence(host, mistakes, options.proxyPublicHost))
  }
  return {
    ...connected,
    captureScreenshot,
    pid: undefined,
    gone: gone.signal,
    kill() {
      // A browser that hangs does not answer the request to close.
      giveUp('given up')
      disconnect()
    },
    close: async () => disconnect(),
  }
}

const opened = (socket: WebSocket) =>
  new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', ({ message }) => reject(new Error(message || 'no response')))
  })

function createSocketTransport(socket: WebSocket): ConnectionTransport {
  const transport: ConnectionTransport = { send: (message) => socket.send(message), close: () => socket.close() }
  socket.addEventListener('message', ({ data }) => passMessage(String(data), transport, () => socket.close()))
  socket.addEventListener('close', () => transport.onclose?.())
  return transport
}

/** The main thread is blocked while the message with the image is parsed. */
const captureScreenshot: CaptureScreenshot = async (session, options) => {
  const { data } = await session.send('Page.captureScreenshot', options)
  return Buffer.from(data, 'base64')
}

/** `undefined` if the browser does not disclose it, because it runs without `--enable-automation`. */
const readCommandLine = (connection: Connection): Promise<string[] | undefined> =>
  connection.send('Browser.getBrowserCommandLine').then(
    ({ arguments: commandLine }) => commandLine,
    () => undefined,
  )

const unreachableError = (host: string, cause: unknown) =>
  new Error(`The browser at ${host} cannot be reached: ${String(cause)}`, { cause })

function flagsSentence(host: string, mistakes: readonly string[], proxyPublicHost: string): string {
  const commandLine = recommendedFlags(proxyPublicHost)
    .map((flag) => (/[\s<>*]/.test(flag) ? `'${flag}'` : flag))
    .join(' ')
  return (
    `The browser at ${host} is refused, because pages could reach private addresses or leave the sandbox: ${mistakes.join(', ')}. ` +
    `Start it with: chromium-headless-shell ${commandLine}`
  )
}

const ENDPOINT_TIMEOUT_MS = 5_000
const MAX_VERSION_BYTES = 65_536
const MAX_ADDRESSES = 4
const ENDPOINT_PATH = /^\/devtools\/browser\/[\w-]{1,100}$/

/**
 * Finds the DevTools endpoint of a browser, which changes whenever the browser is restarted.
 *
 * @param address  `http://HOST:PORT`; a `ws://` URL is returned as it is.
 * @returns        `ws://IP:PORT/devtools/browser/…`. The name is resolved here, because Chromium refuses requests whose `Host`
 *                 is neither an IP address nor `localhost`.
 * @throws         {Error} when no address of the host responds like a browser.
 */
export async function resolveEndpoint(address: string, signal: AbortSignal): Promise<string> {
  if (/^wss?:/.test(address)) return address
  const { hostname, port } = new URL(address)
  const name = hostname.replace(/^\[|\]$/g, '')
  const addresses = await withinTime(lookup(name, { all: true }), { timeoutMs: ENDPOINT_TIMEOUT_MS, signal })
  const reasons: string[] = []
  for (const { address: ip } of addresses.slice(0, MAX_ADDRESSES)) {
    const authority = `${isIPv6(ip) ? `[${ip}]` : ip}:${port || 80}`
    try {
      return `ws://${authority}${await readEndpointPath(authority, signal)}`
    } catch (error) {
      signal.throwIfAborted()
      reasons.push(`${authority}: ${reasonOf(error)}`)
    }
  }
  throw new Error(reasons.join('; ') || `${name} has no address`)
}

async function readEndpointPath(authority: string, signal: AbortSignal): Promise<string> {
  const finished = new AbortController()
  try {
    const reading = readVersion(`http://${authority}/json/version`, finished.signal)
    const version = await withinTime(reading, { timeoutMs: ENDPOINT_TIMEOUT_MS, signal })
    const url = /"webSocketDebuggerUrl"\s*:\s*"([^"]+)"/.exec(version)?.[1] ?? ''
    const path = canParseUrl(url) ? new URL(url).pathname : ''
    // Only the path is used: what responds there must not send the service to another host.
    if (!ENDPOINT_PATH.test(path)) throw new Error('/json/version names no browser')
    return path
  } finally {
    finished.abort()
  }
}

async function readVersion(url: string, signal: AbortSignal): Promise<string> {
  const { ok, status, body } = await fetch(url, { signal, redirect: 'error' })
  if (!ok || !body) throw new Error(`/json/version responds with ${status}`)
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    if (text.length > MAX_VERSION_BYTES) throw new Error('/json/version is too long')
  }
  return text
}

const reasonOf = (error: unknown) =>
  error instanceof Error ? (error.cause instanceof Error ? error.cause : error).message : String(error)
