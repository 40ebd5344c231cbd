import { STATUS_CODES, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { PageError } from '../../query/index.js'
import { errorResponse } from '../http/index.js'

/** An address of 8,192 characters may be three times as long when it is encoded. */
export const MAX_HEADER_BYTES = 64 * 1024
/** For the other end to read the answer, when it goes on sending meanwhile. */
const LINGER_MS = 1_000

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `The request is longer than ${MAX_HEADER_BYTES} bytes.`,
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
}

/**
 * Says in the service's own words what Node would say by itself, with plain text, an empty body or a closed connection, of
 * requests that cannot be read.
 *
 * @param base  Address of the service, without slash at the end.
 */
export function handleMalformedRequests(server: Server, base: () => string): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else void send(socket, saying(REASONS[error.code ?? ''] ?? 'The request is not HTTP that can be read.', base()))
  })
  server.on('connect', (_, socket) => {
    const error = new PageError('EMETHOD', 'This is no proxy: only GET, HEAD and OPTIONS are understood here.')
    void send(socket, errorResponse(error, { requestId: '', base: base() }), { allow: 'GET, HEAD, OPTIONS' })
  })
  // Whatever is expected may be passed over: https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response))
}

/** The answer to a request whose head is HTTP, while its `Host` or address is none. */
export const invalidHostResponse = (base: string): Response =>
  saying('The Host or the address of this request cannot be read.', base)

const saying = (reason: string, base: string) =>
  errorResponse(new PageError('EINVALQUERY', reason), { requestId: '', base })

async function send(socket: Duplex, answer: Response, more: Record<string, string> = {}): Promise<void> {
  const body = await answer.text()
  const facts = { connection: 'close', 'content-length': String(Buffer.byteLength(body)), ...more }
  const head = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
    ...[...answer.headers, ...Object.entries(facts)].map(([name, value]) => `${name}: ${value}`),
  ]
  // Closed while the other end still sends, a socket takes back what it has not delivered yet.
  socket.resume().end(`${head.join('\r\n')}\r\n\r\n${body}`)
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.on('close', () => clearTimeout(timer)).on('error', () => socket.destroy())
}
