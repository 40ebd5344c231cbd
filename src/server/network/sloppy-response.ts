import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { hasErrorCode } from '../node-errors.js'
import { MAX_HEADER_NAME_CHARS, MAX_RESPONSE_HEADER_BYTES } from './bounded-request.js'
import type { CheckedTarget } from './guard.js'

/** A response that was read as browsers read one: whatever is not valid HTTP is skipped. */
export interface SloppyResponse {
  statusCode: number
  statusMessage: string
  /** Lower-case names; an array for a header that is repeated. */
  headers: Record<string, string | string[]>
  /** Names and values in turn. */
  rawHeaders: string[]
  body: Readable
}

interface SloppyRequest {
  method?: string | undefined
  /** Names and values in turn, without `host` and `connection`. */
  rawHeaders: readonly string[]
  signal: AbortSignal
}

/**
 * Whether a server has responded, but not in HTTP as Node and undici understand it. Neither has an option for all that browsers
 * accept: undici has none, and `insecureHTTPParser` of Node still refuses a line without a colon or a repeated `content-length`.
 */
export const isSloppyResponseError = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'HTTPParserError' ||
    hasErrorCode(error, 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') ||
    ('code' in error && String(error.code).startsWith('HPE_') && error.code !== 'HPE_HEADER_OVERFLOW') ||
    // What undici says of `100 Continue`.
    (hasErrorCode(error, 'UND_ERR_SOCKET') && error.message === 'bad response'))

const MAX_LINE_BYTES = 8_192
const MAX_HEADERS = 2_000
/** A response may be preceded by interim ones. */
const MAX_RESPONSES = 8
const CONNECT_TIMEOUT_MS = 10_000

const STATUS_LINE = /^\s{0,4}HTTP\/?(?:\d(?:\.\d)?)?[\t ]+(\d{3})(?!\d)(.*)$/i
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
export const CONTROLS = /[^\t -~\x80-\xff]/g

/**
 * Sends a request without a body to the address that the guard checked, on a connection of its own.
 *
 * @throws  {Error} of the connection, or with the code `HPE_INVALID` for what no browser shows either. An aborted `signal` destroys the body.
 */
export async function requestSloppy(
  url: URL,
  target: CheckedTarget,
  { method = 'GET', rawHeaders: requestHeaders, signal }: SloppyRequest,
): Promise<SloppyResponse> {
  signal.throwIfAborted()
  const socket = await openSocket(url, target, signal)
  try {
    const lines = pairsOf(requestHeaders).map(([name, value]) => `${name}: ${value}`.replace(CONTROLS, ''))
    const start = [
      `${method} ${url.pathname}${url.search} HTTP/1.1`,
      `host: ${url.host}`,
      'connection: close',
      ...lines,
    ]
    socket.write(`${start.join('\r\n')}\r\n\r\n`, 'latin1')
    const reader = new ByteReader(socket)
    const { rawHeaders, ...status } = await readHead(reader)
    const hasBody = method !== 'HEAD' && ![204, 304].includes(status.statusCode)
    const framing = framingOf(rawHeaders)
    const body = Readable.from(hasBody ? readFramed(reader, framing) : [], { objectMode: false })
    // Ends a read that waits for the socket.
    body.once('close', () => socket.destroy())
    const framed = withoutFraming(rawHeaders, framing)
    return { ...status, rawHeaders: framed, headers: groupByName(framed), body }
  } catch (error) {
    socket.destroy()
    signal.throwIfAborted()
    throw error
  }
}

function openSocket(
  url: URL,
  { address, port, family, hostname }: CheckedTarget,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const isTls = url.protocol === 'https:'
    const socket = isTls
      ? connectTls({
          host: address,
          port,
          ...(!isIP(hostname) && { servername: hostname }),
          ALPNProtocols: ['http/1.1'],
        })
      : connectPlain({ host: address, port, family })
    const timer = setTimeout(
      () => socket.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' })),
      CONNECT_TIMEOUT_MS,
    )
    const onAbort = () => socket.destroy()
    signal.addEventListener('abort', onAbort, { once: true })
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer)
      resolve(socket)
    })
    // Never removed, because an unhandled error would end the process.
    socket.on('error', reject)
    socket.once('close', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      reject(connectionError())
    })
  })
}

async function readHead(
  reader: ByteReader,
): Promise<Pick<SloppyResponse, 'statusCode' | 'statusMessage' | 'rawHeaders'>> {
  for (let responses = 0; responses < MAX_RESPONSES; responses++) {
    const statusLine = (await reader.readLine(MAX_LINE_BYTES)) || (await reader.readLine(MAX_LINE_BYTES))
    const [, status, statusMessage = ''] = STATUS_LINE.exec(statusLine ?? '') ?? []
    if (status === undefined || status === '101') throw invalidError('status line')
    const rawHeaders = await readHeaders(reader)
    const statusCode = Number(status)
    if (statusCode >= 200) return { statusCode, statusMessage: statusMessage.replace(CONTROLS, '').trim(), rawHeaders }
  }
  throw invalidError('interim responses')
}

/** Lines without a colon, and names that are none, are skipped. */
async function readHeaders(reader: ByteReader): Promise<string[]> {
  const rawHeaders: string[] = []
  let bytes = 0
  for (;;) {
    const line = await reader.readLine(MAX_RESPONSE_HEADER_BYTES - bytes)
    if (line === undefined) throw connectionError()
    if (line === '') return rawHeaders
    bytes += line.length + 1
    const value = line
      .slice(line.indexOf(':') + 1)
      .replace(CONTROLS, '')
      .trim()
    const name = line.slice(0, Math.max(0, line.indexOf(':'))).trim()
    if (/^[\t ]/.test(line)) {
      // A folded line goes on with the header before it.
      if (rawHeaders.length > 0) rawHeaders.push(`${rawHeaders.pop()} ${line.replace(CONTROLS, '')}`.trim())
    } else if (name.length <= MAX_HEADER_NAME_CHARS && TOKEN.test(name) && rawHeaders.length < 2 * MAX_HEADERS)
      rawHeaders.push(name, value)
  }
}

const pairsOf = (rawHeaders: readonly string[]): [name: string, value: string][] =>
  rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1]!]] : []))

function groupByName(rawHeaders: readonly string[]): SloppyResponse['headers'] {
  const headers: SloppyResponse['headers'] = Object.create(null)
  for (const [rawName, value] of pairsOf(rawHeaders)) {
    const name = rawName.toLowerCase()
    headers[name] = name in headers ? [headers[name]!, value].flat() : value
  }
  return headers
}

/** How the end of a body is found; `Infinity`: where the connection ends. */
type Framing = 'chunked' | number

/** Different lengths contradict each other, so neither counts. */
function framingOf(rawHeaders: readonly string[]): Framing {
  const headers = groupByName(rawHeaders)
  if (/\bchunked\b/i.test(String(headers['transfer-encoding']))) return 'chunked'
  const lengths = new Set(
    [headers['content-length'] ?? []].flat().flatMap((value) => value.split(',').map((length) => length.trim())),
  )
  const [length = ''] = lengths
  return lengths.size === 1 && /^\d{1,15}$/.test(length) ? Number(length) : Infinity
}

/** The headers without those that do not describe the body as it is passed on. */
function withoutFraming(rawHeaders: readonly string[], framing: Framing): string[] {
  const kept = pairsOf(rawHeaders)
    .filter(([name]) => !/^(content-length|transfer-encoding|connection|keep-alive)$/i.test(name))
    .flat()
  return Number.isFinite(framing) ? [...kept, 'content-length', String(framing)] : kept
}

async function* readFramed(reader: ByteReader, framing: Framing): AsyncGenerator<Buffer> {
  if (framing !== 'chunked') {
    yield* reader.readBytes(framing)
    return
  }
  for (;;) {
    const line = await reader.readLine(MAX_LINE_BYTES)
    const size = /^\s*([\da-f]{1,8})\s*(?:;|$)/i.exec(line ?? '')?.[1]
    if (line === undefined) throw connectionError()
    if (size === undefined) throw invalidError('chunk size')
    // Trailers are not read.
    if (parseInt(size, 16) === 0) return
    yield* reader.readBytes(parseInt(size, 16))
    await reader.readLine(MAX_LINE_BYTES)
  }
}

/** Reads lines and bytes of a stream. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  /** @returns  A line as Latin-1, without its end; `undefined` after the last byte. */
  async readLine(maxBytes: number): Promise<string | undefined> {
    const pieces: Buffer[] = []
    let size = 0
    for (;;) {
      const chunk = await this.#next()
      if (!chunk) return undefined
      const end = chunk.indexOf('\n')
      const piece = end < 0 ? chunk : chunk.subarray(0, end)
      pieces.push(piece)
      size += piece.length
      if (size > maxBytes) throw Object.assign(new Error('too long'), { code: 'UND_ERR_HEADERS_OVERFLOW' })
      if (end < 0) continue
      this.#rest = chunk.subarray(end + 1)
      return Buffer.concat(pieces).toString('latin1').replace(/\r$/, '')
    }
  }

  /** @throws  {Error} when fewer bytes arrive, if their number is finite. */
  async *readBytes(count: number): AsyncGenerator<Buffer> {
    let missing = count
    while (missing > 0) {
      const chunk = await this.#next()
      if (!chunk && count === Infinity) return
      if (!chunk) throw connectionError()
      const bytes = chunk.subarray(0, Math.min(missing, chunk.length))
      this.#rest = chunk.subarray(bytes.length)
      missing -= bytes.length
      yield bytes
    }
  }

  async #next(): Promise<Buffer | undefined> {
    if (this.#rest.length > 0) {
      const rest = this.#rest
      this.#rest = Buffer.alloc(0)
      return rest
    }
    const { value, done } = await this.#chunks.next()
    return done ? undefined : value
  }
}

const connectionError = () => Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' })
const invalidError = (part: string) => Object.assign(new Error(`invalid ${part}`), { code: 'HPE_INVALID' })
