import { getRequestListener } from '@hono/node-server'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ALLOW_HOSTS_HEADER } from '../../query/help/index.js'
import { BoundedRequest } from '../network/index.js'
import type { Plan } from '../request-scope.js'
import {
  closeWhenStalled,
  followResponses,
  limitConnections,
  waitForEarlierResponses,
  type ConnectionLimits,
} from './connections.js'
import type { App } from './create-app.js'
import {
  handleMalformedRequests,
  invalidRequestResponse,
  MAX_HEADER_BYTES,
  refuseLongRequest,
} from './malformed-requests.js'
import { listenError, type PortOption } from './ports.js'
import type { Connection, RawRequest } from './request-scopes.js'

export interface ListenOptions extends PortOption, ConnectionLimits {
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
  // Requests to the service are a few lines long. By default, Node waits a minute for the headers and checks every 30 seconds.
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
export async function listen(app: Pick<App, 'fetch' | 'cachedResponse'>, options: ListenOptions): Promise<Listener> {
  const { host, port, portFlag, plan, publicUrl } = options
  let url = ''
  const base = () => publicUrl ?? url
  let isDraining = false
  const connectionOf = ({ socket }: IncomingMessage): Connection => ({
    peerAddress: socket.remoteAddress ?? '',
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
      errorHandler: () => invalidRequestResponse('The Host header or the path of this request is not valid.', base()),
    },
  )
  const responses = followResponses()
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    if (refuseLongRequest(server, request)) return
    if (!responses.mayStart(response)) return
    // Without a Host header, as health checks of load balancers send it.
    if (request.httpVersion === '1.0') request.headers.host ??= new URL(base()).host
    if (isDraining) response.setHeader('connection', 'close')
    const cached = app.cachedResponse(rawRequestOf(request, connectionOf(request)))
    if (!cached) {
      void handle(request, response)
      return
    }
    // A short text is a single write, so there is nothing to stall.
    if (typeof cached.body === 'object') closeWhenStalled(response)
    response.writeHead(cached.status, cached.headers).end(cached.body, 'latin1')
  })
  handleMalformedRequests(server, base, (socket) => responses.mayInterject(socket))
  limitConnections(server, options)
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw listenError(error, port, portFlag)
  }
  // Connections that end after the server has stopped listening, and has no address, are responded to as well.
  url = urlOf(server, host)
  return {
    url,
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
