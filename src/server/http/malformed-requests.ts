import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { hasLongHost, queryLimits } from '../../query/help/index.js'
import { PageError } from '../../query/index.js'
import { hasLongHeaderName } from '../network/index.js'
import { errorResponse } from './response.js'

/** The request line with all headers. Large enough for a URL of 8,192 characters, which percent-encoding can triple. */
export const MAX_HEADER_BYTES = 64 * 1024

/** Time for the client to read the response while it is still sending. */
const LINGER_MS = 1_000

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
export function handleMalformedRequests(
  server: Server,
  base: () => string,
  mayInterject: (socket: Duplex) => boolean,
): void {
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

/**
 * Refuses a request that Node accepts although its host or the name of a header is too long, as one that cannot be parsed.
 *
 * @returns  Whether it was refused.
 */
export function refuseLongRequest(server: Server, request: IncomingMessage): boolean {
  const code = hasLongHeaderName(request)
    ? 'ERR_LONG_HEADER_NAME'
    : namesLongHost(request)
      ? 'ERR_LONG_HOST'
      : undefined
  if (!code) return false
  server.emit('clientError', new LongRequestError(code), request.socket)
  return true
}

class LongRequestError extends Error {
  override readonly name = 'LongRequestError'
  constructor(readonly code: 'ERR_LONG_HEADER_NAME' | 'ERR_LONG_HOST') {
    super(REASONS[code])
  }
}

/** The first line of a request may name the host too: `GET http://example.com/ HTTP/1.1`. */
const namesLongHost = ({ url = '', headers: { host = '' } }: IncomingMessage) =>
  host.length > queryLimits.hostChars || (!url.startsWith('/') && hasLongHost(url))

/** Responds to a request that is not valid HTTP, or names no valid URL. */
export const invalidRequestResponse = (reason: string, base: string) =>
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
