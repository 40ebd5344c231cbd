import { getRequestListener } from '@hono/node-server'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ALLOW_HOSTS_HEADER } from '../../query/help/index.js'
import type { App, Connection, RawRequest } from '../http/index.js'
import type { Plan } from '../request-scope.js'
import { BoundedRequest, hasLongHeaderName } from '../network/index.js'
import {
  handleMalformedRequests,
  invalidHostResponse,
  LongHeaderNameError,
  MAX_HEADER_BYTES,
} from './handle-malformed-requests.js'
import {
  closeWhenStalled,
  limitConnections,
  limitWaitingResponses,
  waitForEarlierResponses,
  type ConnectionLimits,
} from './limit-connections.js'
import { listenError } from './ports.js'

type ListeningApp = Pick<App, 'fetch' | 'cachedResponse'>

export interface ListenOptions extends ConnectionLimits {
  /** Address to listen on. */
  host: string
  port: number
  /** The flag that sets `port`, for the error message when the port is in use. */
  portFlag: string
  /** Default: decided by the `Host` header of each request. */
  plan: Plan | undefined
  /** Default: the listener's own URL. */
  publicUrl: string | undefined
}

export interface Listener {
  /** URL of the listener itself, without trailing slash. */
  url: string
  /** Closes each connection after its next response, and announces that to the client. */
  startDraining(): void
  /** Stops accepting connections; resolves when the last one is closed. */
  close(): Promise<void>
  /** Closes connections that still run. */
  closeConnections(): void
}

const SERVER_OPTIONS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  requireHostHeader: false,
  IncomingMessage: BoundedRequest,
  // A request of the service is a few lines; Node waits a minute and checks every 30 seconds by default.
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 2_000,
}
const IDLE_CHECK_MS = 50

/**
 * Serves an app, such as the service, on a port with Node's HTTP server.
 *
 * @throws  Error with a sentence when the port cannot be used.
 */
export async function listen(app: ListeningApp, options: ListenOptions): Promise<Listener> {
  const { host, port, portFlag, plan, publicUrl } = options
  const base = () => publicUrl ?? urlOf(server, host)
  let isDraining = false
  const server = createAppServer(app, { plan, base, isDraining: () => isDraining })
  handleMalformedRequests(server, base)
  limitConnections(server, options)
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw listenError(error, port, portFlag)
  }
  return {
    url: urlOf(server, host),
    startDraining() {
      isDraining = true
    },
    async close() {
      isDraining = true
      server.close()
      // A connection that is busy now would otherwise stay open for its next request.
      const closingIdle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
      await once(server, 'close')
      clearInterval(closingIdle)
    },
    closeConnections: () => server.closeAllConnections(),
  }
}

interface AppServerOptions {
  plan: Plan | undefined
  base: () => string
  isDraining: () => boolean
}

function createAppServer(app: ListeningApp, { plan, base, isDraining }: AppServerOptions): Server {
  const connectionOf = ({ socket }: IncomingMessage): Connection => ({
    clientAddress: socket.remoteAddress ?? '',
    ...(plan && { plan }),
  })
  const handle = getRequestListener(
    async (request, { incoming, outgoing }) => {
      const response = await app.fetch(request, connectionOf(incoming as IncomingMessage))
      // Reading a file starts with the return.
      await waitForEarlierResponses(outgoing as ServerResponse)
      closeWhenStalled(outgoing as ServerResponse)
      return response
    },
    {
      errorHandler: () => invalidHostResponse(base()),
    },
  )
  const mayStart = limitWaitingResponses()
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    if (!mayStart(response)) return
    if (hasLongHeaderName(request)) {
      server.emit('clientError', new LongHeaderNameError(), request.socket)
      return
    }
    // Without a Host header, as health checks of load balancers send it.
    if (request.httpVersion === '1.0') request.headers.host ??= new URL(base()).host
    if (isDraining()) response.setHeader('connection', 'close')
    const cached = app.cachedResponse(rawRequestOf(request, connectionOf(request)))
    if (!cached) {
      void handle(request, response)
      return
    }
    // A short text is a single write, so there is nothing to stall.
    if (typeof cached.body === 'object') closeWhenStalled(response)
    response.writeHead(cached.status, cached.headers).end(cached.body, 'latin1')
  })
  return server
}

const rawRequestOf = ({ method, url, headers }: IncomingMessage, connection: Connection): RawRequest => ({
  method,
  url: `http://${headers.host}${url}`,
  ifNoneMatch: headers['if-none-match'],
  acceptEncoding: headers['accept-encoding']?.toString(),
  forwardedFor: headers['x-forwarded-for']?.toString(),
  requestId: headers['x-request-id']?.toString(),
  traceparent: headers.traceparent?.toString(),
  allowedHosts: headers[ALLOW_HOSTS_HEADER]?.toString(),
  ...connection,
})

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  const hostname = /^(0\.0\.0\.0|::)$/.test(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${hostname}:${port}`
}
