import { createServer, type IncomingMessage } from 'node:http'
import { isIPv6, type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { CaptureBudget } from '../budget/index.js'
import { BoundedRequest } from './bounded-request.js'
import { forwardRequest, refuseRequest } from './forward-request.js'
import type { Guard } from './create-guard.js'
import { openTunnel, refuseTunnel } from './open-tunnel.js'
import { isAuthorized, type ProxyCredentials } from './proxy-credentials.js'
import { authenticationResponse } from './proxy-error-response.js'

/** The forward proxy that all traffic of the browser goes through. */
export interface EgressProxy {
  /** `http://127.0.0.1:PORT`, for `--proxy-server`. */
  url: string
  /** What a client has to send; `undefined`: nothing. */
  credentials: ProxyCredentials | undefined
  /** Closes every connection at once. */
  close(): Promise<void>
}

export interface EgressProxyOptions {
  /** Counts the traffic; once it is exhausted, all connections and new ones are closed. Default: the traffic is not counted. */
  budget?: CaptureBudget | undefined
  /** IP address to listen on. Default: 127.0.0.1. */
  host?: string | undefined
  /** Name or address by which the browser reaches it. Default: `host`. */
  publicHost?: string | undefined
  /** Required from each request, where others can reach the proxy too. Default: none. */
  credentials?: ProxyCredentials | undefined
}

const DEFAULT_HOST = '127.0.0.1'
const MAX_CONNECTIONS = 1_024
const IDLE_TIMEOUT_MS = 60_000

/**
 * Starts a forward proxy. The guard checks each request and each tunnel (https, ws, wss), which then goes to exactly the checked
 * address. The response to a forbidden target is 403, to any other failure 502 or 504, with the error code in
 * `x-page-preview-refused`; without the credentials it is 407.
 *
 * On loopback it needs no credentials: only programs of this machine reach it, and it reaches nothing that is not public.
 */
export async function startEgressProxy(
  guard: Guard,
  { budget, host = DEFAULT_HOST, publicHost = host, credentials }: EgressProxyOptions = {},
): Promise<EgressProxy> {
  const isAllowed = ({ headers }: IncomingMessage) =>
    !credentials || isAuthorized(headers['proxy-authorization'], credentials)
  const sockets = new Set<Socket>()
  const server = createServer({
    IncomingMessage: BoundedRequest,
    maxHeaderSize: 65_536,
    headersTimeout: 10_000,
    requestTimeout: 60_000,
  })
  server.maxConnections = MAX_CONNECTIONS
  server.timeout = IDLE_TIMEOUT_MS

  server.on('connection', (socket) => {
    if (budget?.exhausted.aborted) {
      socket.destroy()
      return
    }
    sockets.add(socket)
    // The server removes its own listeners from the socket of a tunnel, so errors need one here.
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('request', (request, response) => {
    if (!isAllowed(request)) refuseRequest(response, authenticationResponse)
    else void forwardRequest(request, response, { guard, budget })
  })
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    if (!isAllowed(request)) refuseTunnel(client, authenticationResponse)
    else void openTunnel(client, { authority: request.url ?? '', head, guard, budget })
  })
  server.on('clientError', (_, socket) => {
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () => socket.destroy())
  })

  const closeSockets = () => sockets.forEach((socket) => socket.destroy())
  budget?.exhausted.addEventListener('abort', closeSockets, { once: true })

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host, resolve)
  })
  return {
    url: `http://${isIPv6(publicHost) ? `[${publicHost}]` : publicHost}:${(server.address() as AddressInfo).port}`,
    credentials,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        closeSockets()
      }),
  }
}
