import { type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'

/** Decodes one content coding. It takes what is sloppy as Chromium does, and ends with what it has when the input is cut off. */
type Decode = (body: AsyncIterable<Buffer>) => AsyncIterable<Buffer>

/** Missing before Node 22.15. */
const { createZstdDecompress } = zlib as { createZstdDecompress?: (options: zlib.ZlibOptions) => Transform }
const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = zlib.constants as typeof zlib.constants & {
  ZSTD_e_flush: number
}

const MAX_CODINGS = 3

const inflate = through(() => zlib.createInflateRaw({ finishFlush: Z_SYNC_FLUSH }))

const DECODERS: ReadonlyMap<string, Decode> = new Map([
  ['gzip', (body: AsyncIterable<Buffer>) => inflate(withoutHeader(body, 'gzip'))],
  ['x-gzip', (body: AsyncIterable<Buffer>) => inflate(withoutHeader(body, 'gzip'))],
  ['deflate', (body: AsyncIterable<Buffer>) => inflate(withoutHeader(body, 'deflate'))],
  ['br', through(() => zlib.createBrotliDecompress({ finishFlush: BROTLI_OPERATION_FLUSH }))],
  ...(createZstdDecompress
    ? [['zstd', through(() => createZstdDecompress({ finishFlush: ZSTD_e_flush }))] as const]
    : []),
])

/** Codings that exist, but are not decoded here. Any other name says nothing of the body: `utf-8`, `none`. */
const OTHER_CODINGS = new Set(['zstd', 'compress', 'x-compress', 'sdch', 'exi', 'dcb', 'dcz', 'bzip2', 'xz', 'lzma'])

/** Value for the `accept-encoding` header. */
export const SUPPORTED_ENCODINGS = `gzip, deflate, br${createZstdDecompress ? ', zstd' : ''}`

/** The body is not what its `content-encoding` says. */
export class ContentEncodingError extends Error {
  override readonly name = 'ContentEncodingError'
  constructor(
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(reason, options)
  }
}

/**
 * Decodes a body by its `content-encoding`. Like Chromium, it takes deflate with and without its zlib header, ignores what follows the
 * end of a compressed body, and leaves a body as it is when the header has an unknown name.
 *
 * @throws  {ContentEncodingError} for a coding that is not supported; while reading, for a body without it.
 */
export function decodeBody(body: AsyncIterable<Buffer>, contentEncoding = ''): AsyncIterable<Buffer> {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.replace(/;.*/, '').replaceAll('"', '').trim())
    .filter((name) => name && name !== 'identity')
  const unsupported = names.find((name) => OTHER_CODINGS.has(name) && !DECODERS.has(name))
  if (unsupported || names.length > MAX_CODINGS) throw new ContentEncodingError('its content-encoding is not supported')
  if (names.some((name) => !DECODERS.has(name))) return body
  // The coding that was applied last comes first.
  return names.reduceRight((encoded, name) => DECODERS.get(name)!(encoded), body)
}

function through(create: () => Transform): Decode {
  return async function* (body) {
    const transform = create()
    // Its errors are those of the transform, which are thrown below. A body that goes on after its end is left.
    pipeline(body, transform).catch(() => undefined)
    try {
      yield* transform as AsyncIterable<Buffer>
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
      if (!/^(Z_|ERR_|ZSTD)/.test(code) || code === 'ERR_STREAM_PREMATURE_CLOSE') throw cause
      throw new ContentEncodingError('its compressed body is damaged', { cause })
    }
  }
}

/** The longest header of gzip that is read: names of files are in it. */
const MAX_GZIP_HEADER_BYTES = 65_536

/** The deflate data of a body, with the end of gzip or zlib behind it. A body that is too short has none. */
async function* withoutHeader(body: AsyncIterable<Buffer>, coding: 'gzip' | 'deflate'): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of body) {
    if (!start) yield chunk
    else {
      start = start.length > 0 ? Buffer.concat([start, chunk]) : chunk
      const end = headerEnd(start, coding)
      if (end === undefined && start.length < MAX_GZIP_HEADER_BYTES) continue
      yield start.subarray(end ?? start.length)
      start = undefined
    }
  }
}

/** @returns  `undefined` when more bytes are needed. */
function headerEnd(bytes: Buffer, coding: 'gzip' | 'deflate'): number | undefined {
  if (bytes.length < 2) return undefined
  const magic = bytes.readUInt16BE()
  if (magic === 0x1f8b) return gzipHeaderEnd(bytes)
  if (coding === 'gzip') throw new ContentEncodingError('its body is not gzip, although its content-encoding says so')
  // https://www.rfc-editor.org/rfc/rfc1950#section-2.2; without this header, many servers send deflate data alone.
  const isZlib = (bytes[0]! & 0x0f) === 8 && magic % 31 === 0
  return isZlib ? 2 : 0
}

/** https://www.rfc-editor.org/rfc/rfc1952#section-2.3 */
function gzipHeaderEnd(bytes: Buffer): number | undefined {
  const flags = bytes[3] ?? 0
  let end = 10
  if (flags & 0x04) end += 2 + (bytes.length >= end + 2 ? bytes.readUInt16LE(end) : MAX_GZIP_HEADER_BYTES)
  for (const flag of [0x08, 0x10]) {
    if (!(flags & flag)) continue
    const zero = bytes.indexOf(0, end)
    if (zero < 0) return undefined
    end = zero + 1
  }
  if (flags & 0x02) end += 2
  return end <= bytes.length ? end : undefined
}
