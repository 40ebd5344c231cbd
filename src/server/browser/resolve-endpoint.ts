import { lookup } from 'node:dns/promises'
import { isIPv6 } from 'node:net'
import { withinTime } from './within-time.js'

const TIMEOUT_MS = 5_000
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
  const addresses = await withinTime(lookup(name, { all: true }), { timeoutMs: TIMEOUT_MS, signal })
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
    const version = await withinTime(reading, { timeoutMs: TIMEOUT_MS, signal })
    const url = /"webSocketDebuggerUrl"\s*:\s*"([^"]+)"/.exec(version)?.[1] ?? ''
    const path = URL.canParse(url) ? new URL(url).pathname : ''
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
