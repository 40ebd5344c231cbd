import { isIP } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { MAX_RESPONSE_HEADER_BYTES } from './bounded-request.js'
import type { Guard } from './guard.js'
import { botUserAgent } from './user-agent.js'

const CONNECT_TIMEOUT_MS = 10_000
const INACTIVITY_TIMEOUT_MS = 10_000

/** Sends the requests of the service. */
export type GuardedDispatcher = Dispatcher & {
  /** The user agent for requests whose caller has none. */
  readonly userAgent: string
}

/**
 * Creates the undici dispatcher for every request of the service outside of the browser. It connects only to an address that
 * the guard has checked, for this request or for another one to the same host and port. A refused request rejects with the guard's `PageError`.
 *
 * The check is in `connect` and not in `connect.lookup`, because undici does not call `lookup` for IP literals.
 *
 * @param userAgent  Default: that of `botUserAgent`.
 */
export function createDispatcher(guard: Guard, { userAgent = botUserAgent() } = {}): GuardedDispatcher {
  // HTTP/2 would bypass the limits of connections and headers below; from version 8 on, undici offers it by default.
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, allowH2: false })
  const agent = new Agent({
    connect: (options, callback) => void connectChecked(options, callback, { guard, connect }),
    allowH2: false,
    connections: 16,
    pipelining: 1,
    maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
    headersTimeout: INACTIVITY_TIMEOUT_MS,
    bodyTimeout: INACTIVITY_TIMEOUT_MS,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
  })
  // A request on a connection that is kept alive passes no check, but its result needs the same allowance.
  const dispatcher = agent.compose((dispatch) => (request, handler) => {
    if (request.origin) guard.recordRequest(request.origin)
    return dispatch(request, handler)
  })
  return Object.assign(dispatcher, { userAgent })
}

async function connectChecked(
  options: buildConnector.Options,
  callback: buildConnector.Callback,
  { guard, connect }: { guard: Guard; connect: buildConnector.connector },
): Promise<void> {
  try {
    const target = await guard.checkConnection(originOf(options))
    const servername = options.servername || (isIP(target.hostname) ? undefined : target.hostname)
    connect({ ...options, hostname: target.address, port: String(target.port), servername }, callback)
  } catch (error) {
    callback(error instanceof Error ? error : new Error(String(error)), null)
  }
}

function originOf({ protocol, hostname, port }: buildConnector.Options): string {
  const host = isIP(hostname) === 6 ? `[${hostname}]` : hostname
  return `${protocol}//${host}${port ? `:${port}` : ''}`
}
