import { getRequestListener } from '@hono/node-server'
import { once } from 'node:events'
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ALLOW_HOSTS_HEADER, hasLongHost, queryLimits } from '../../query/help/index.js'
import { PageError } from '../../query/index.js'
import { createCounts, identifyClient, queueNetworks } from '../budget/index.js'
import { BoundedRequest, hasLongHeaderName } from '../network/index.js'
import { hasErrorCode } from '../node-errors.js'
import type { Plan } from '../request-scope.js'
import type { App } from './create-app.js'
import type { Connection, RawRequest } from './request-scopes.js'
import { errorResponse } from './response.js'

export interface ListenOptions {
  /** Address to listen on. */
  host: string
  port: number
  /** The flag that sets `port`, for the error message when the port is in use. */
  portFlag: string
  /** Default: decided by the `Host` header of each request. */
  plan: Plan | undefined
  /** Default: the listener's own URL. */
  publicUrl: string | undefined
  /** Connections of a listener in all. */
  maxConnections: number
  /** Connections of one client: an IPv4 address, or the /56 of an IPv6 address. A /48 has four times as many, at most half of all. */
  maxConnectionsPerClient: number
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

/** Large enough for a URL of 8,192 characters, which percent-encoding can triple. */
const MAX_HEADER_BYTES = 64 * 1024

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
  const base = () => publicUrl ?? urlOf(server, host)
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
    const fault = hasLongHeaderName(request)
      ? 'ERR_LONG_HEADER_NAME'
      : namesLongHost(request)
        ? 'ERR_LONG_HOST'
        : undefined
    if (fault) {
      server.emit('clientError', new RefusedRequestError(fault), request.socket)
      return
    }
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

/** The first line of a request may name the host too: `GET http://example.com/ HTTP/1.1`. */
const namesLongHost = ({ url = '', headers: { host = '' } }: IncomingMessage) =>
  host.length > queryLimits.hostChars || (!url.startsWith('/') && hasLongHost(url))

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

/** The host and port of a listener, and the flag that sets the port; 0 for any that is free. */
export type PortOption = Pick<ListenOptions, 'host' | 'port' | 'portFlag'>

/**
 * Checks ports before anything else is started, so that a port in use is all that is reported.
 *
 * @throws  Error with a sentence that names the first port that cannot be used, and its flag.
 */
export async function assertPortsFree(options: readonly PortOption[]): Promise<void> {
  const chosen = options.filter(({ port }) => port !== 0)
  for (const [index, option] of chosen.entries()) {
    const earlier = chosen.slice(0, index).find(({ port }) => port === option.port)
    if (earlier)
      throw new Error(
        `Port ${option.port} is set by both ${earlier.portFlag} and ${option.portFlag}; choose another port for one of them.`,
      )
    await assertPortFree(option)
  }
}

async function assertPortFree({ host, port, portFlag }: PortOption): Promise<void> {
  const server = createSocketServer().listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw listenError(error, port, portFlag)
  }
  server.close()
  await once(server, 'close')
}

/** One sentence for the operator: why nothing can listen on the port, and which flag chooses another one. */
function listenError(cause: unknown, port: number, portFlag: string): Error {
  const isInUse = hasErrorCode(cause, 'EADDRINUSE')
  const reason = isInUse
    ? `is already in use by another program; choose another one with ${portFlag}`
    : `cannot be used (${String(cause)})`
  return new Error(`Port ${port} ${reason}.`, { cause })
}

/**
 * A client that reads nothing of a response is disconnected after 10 to 20 seconds: Node checks at intervals of this length
 * whether anything was read since the last check.
 */
const STALL_TIMEOUT_MS = 10_000
/** No browser sends a second request before the first response; some other clients send a few. */
const MAX_WAITING_RESPONSES = 7

/** Closes new connections beyond the limits at once. */
export function limitConnections(
  server: Server,
  { maxConnections, maxConnectionsPerClient }: Pick<ListenOptions, 'maxConnections' | 'maxConnectionsPerClient'>,
): void {
  const connections = createCounts()
  server.maxConnections = maxConnections
  const limitOf = (factor: number) =>
    Math.max(maxConnectionsPerClient, Math.min(maxConnectionsPerClient * factor, maxConnections / 2))
  server.on('connection', (socket: Socket) => {
    const networks = queueNetworks(identifyClient(socket.remoteAddress ?? '', null, 0))
    for (const { name } of networks) connections.add(name)
    socket.once('close', () => {
      for (const { name } of networks) connections.remove(name)
    })
    if (networks.some(({ name, limitFactor }) => connections.count(name) > limitOf(limitFactor))) socket.destroy()
  })
}

/**
 * Disconnects the client when it stops reading the response that is about to be sent. Node restarts the timer whenever some
 * of the bytes are taken: https://nodejs.org/api/net.html#socketsettimeouttimeout-callback
 */
function closeWhenStalled(response: ServerResponse): void {
  const start = (socket: Socket) => {
    socket.setTimeout(STALL_TIMEOUT_MS)
    // Before Node's own listener, which sets the timeout of an idle connection.
    response.prependOnceListener('finish', () => socket.setTimeout(0))
  }
  // A response has no socket while another one of its connection is before it.
  if (response.socket) start(response.socket)
  else response.once('socket', start)
}

/** Resolves when all earlier responses of the connection have been sent, or the connection is closed. */
async function waitForEarlierResponses(response: ServerResponse): Promise<void> {
  if (response.socket || response.destroyed) return
  await new Promise<void>((resolve) => response.once('socket', () => resolve()).once('close', () => resolve()))
}

/** Follows the responses of each connection, which Node sends in the order of their requests. */
function followResponses() {
  const waitingOf = new WeakMap<Socket, Set<ServerResponse>>()
  const latestOf = new WeakMap<Duplex, ServerResponse>()
  const start = (connection: Socket) => {
    const waiting = new Set<ServerResponse>()
    waitingOf.set(connection, waiting)
    connection.once('close', () => {
      for (const response of waiting) if (!response.socket) response.destroy().emit('close')
    })
    return waiting
  }
  return {
    /**
     * Whether a request may be handled. Closes a connection that has sent more requests than it has taken responses: Node starts all
     * requests of a chunk at once, and keeps the responses after the first in memory. Those that wait are closed with their
     * connection, as Node closes only the first.
     */
    mayStart(response: ServerResponse): boolean {
      const connection = response.req.socket
      if (connection.destroyed) return false
      latestOf.set(connection, response)
      if (response.socket) return true
      const waiting = waitingOf.get(connection) ?? start(connection)
      waiting.add(response)
      response.once('close', () => waiting.delete(response))
      if (waiting.size <= MAX_WAITING_RESPONSES) return true
      connection.destroy()
      return false
    },
    /**
     * Whether an error may be written to a connection now. Within a response, or before one, the client would take it for a part of
     * that response, or for the whole. A request whose own body is malformed gets the error as its response.
     */
    mayInterject(connection: Duplex): boolean {
      const latest = latestOf.get(connection)
      if (!latest || latest.writableFinished) return true
      return !latest.req.complete && latest.socket === connection && !latest.headersSent
    },
  }
}

/** Time for the client to read the response while it is still sending. */
const LINGER_MS = 1_000

/** A request that Node accepts, and the service does not. */
class RefusedRequestError extends Error {
  override readonly name = 'RefusedRequestError'
  constructor(readonly code: 'ERR_LONG_HEADER_NAME' | 'ERR_LONG_HOST') {
    super(REASONS[code])
  }
}

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `The request line and headers are longer than ${MAX_HEADER_BYTES} bytes.`,
  ERR_LONG_HEADER_NAME: 'The name of a header is too long.',
  ERR_LONG_HOST: 'The host of the request is too long.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request was not received completely in time.',
}

/**
 * Sends the service's JSON errors where Node would respond with plain text, with an empty body or by closing the connection:
 * for requests that cannot be parsed, and for CONNECT.
 *
 * @param base          URL of the service, without trailing slash.
 * @param mayInterject  Whether an error may be written to a connection now; otherwise it is closed.
 */
function handleMalformedRequests(server: Server, base: () => string, mayInterject: (socket: Duplex) => boolean): void {
  const respond = (socket: Duplex, response: Response) => {
    if (socket.writable && mayInterject(socket)) void send(socket, response)
    else socket.destroy()
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else respond(socket, invalidRequestResponse(REASONS[error.code ?? ''] ?? 'The request is not valid HTTP.', base()))
  })
  server.on('connect', (_, socket) => {
    const error = new PageError('EMETHOD', 'This is not a proxy: only GET, HEAD and OPTIONS are supported.')
    respond(socket, errorResponse(error, { requestId: '', base: base() }))
  })
  // A server may ignore expectations: https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response))
}

const invalidRequestResponse = (reason: string, base: string) =>
  errorResponse(new PageError('EINVALQUERY', reason), { requestId: '', base })

async function send(socket: Duplex, response: Response): Promise<void> {
  const body = await response.text()
  const headers = {
    ...Object.fromEntries(response.headers),
    connection: 'close',
    'content-length': Buffer.byteLength(body),
  }
  const head = [
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  // Closing a socket while the client still sends resets the connection, and the response would be lost.
  socket.resume().end(`${head.join('\r\n')}\r\n\r\n${body}`)
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.on('close', () => clearTimeout(timer)).on('error', () => socket.destroy())
}
