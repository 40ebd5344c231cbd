import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import { UNRESERVED_BYTES, type ReservedMemory } from '../../budget/index.js'

export interface BodyContent {
  /** The first `maxBufferedBytes`. */
  bytes: Buffer
  /** Whether the body ended within `maxBytes`. */
  isComplete: boolean
}

export interface ReadBodyOptions {
  /** The `content-encoding` header. */
  encoding: string | undefined
  /** The `content-length` header. */
  contentLength?: string | undefined
  /** Limit of the decompressed size. */
  maxBytes: number
  /** The rest is counted and dropped. Default: `maxBytes`. */
  maxBufferedBytes?: number
  /** Where memory is reserved for a body that is not small. */
  memory?: ReservedMemory | undefined
  signal: AbortSignal
}

const MAX_ENCODINGS = 3

/** A body that goes on more slowly is not worth the slot and the memory that it takes. */
const MIN_BYTES_PER_SECOND = 1_000
/** The speed is measured over as many seconds, from the first byte on. */
const SPEED_WINDOW_S = 3

/** Missing before Node 22.15. */
const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Transform }

const decoders: Readonly<Record<string, (() => Transform) | undefined>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
  zstd: createZstdDecompress && (() => createZstdDecompress()),
}

/** Value for the `accept-encoding` header. */
export const SUPPORTED_ENCODINGS = `gzip, deflate, br${createZstdDecompress ? ', zstd' : ''}`

/**
 * Reads and decompresses a body, and stops at `maxBytes` of decompressed data, so that a small body cannot exhaust the memory.
 *
 * @throws  {Error} of the stream or the decoder; with a `code` starting with `ERR_` for an unsupported encoding;
 *          {SlowBodyError} for less than 1 kB/s on the wire over 3 seconds.
 */
export async function readBody(body: Readable, options: ReadBodyOptions): Promise<BodyContent> {
  const { encoding, maxBytes, maxBufferedBytes = maxBytes, signal } = options
  const content = collectBytes({ ...options, maxBufferedBytes })
  let size = 0
  let isComplete = true
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      size += chunk.length
      isComplete = size <= maxBytes
      if (!isComplete) return
      await content.add(chunk)
    }
  }
  try {
    const [first, second, third] = createDecoders(encoding)
    if (first && second && third) await pipeline(body, assertSpeed, first, second, third, collect, { signal })
    else if (first && second) await pipeline(body, assertSpeed, first, second, collect, { signal })
    else if (first) await pipeline(body, assertSpeed, first, collect, { signal })
    else await pipeline(body, assertSpeed, collect, { signal })
  } catch (error) {
    // Stopping at the limit closes the pipeline early, which rejects too.
    if (isComplete) throw error
  }
  return { bytes: content.finish(), isComplete }
}

/**
 * Collects the start of a body. What is small is in pieces; beyond that, all that may still come gets one buffer, whose pages take no
 * memory until they are written, so that a large body is in memory once.
 */
function collectBytes({
  encoding,
  contentLength,
  maxBufferedBytes,
  memory,
  signal,
}: Omit<ReadBodyOptions, 'maxBytes'> & { maxBufferedBytes: number }) {
  const pieces: Buffer[] = []
  let size = 0
  let whole: Buffer | undefined
  let reservation: Awaited<ReturnType<ReservedMemory['reserve']>> | undefined

  async function enlarge(): Promise<Buffer> {
    const declared = encoding ? NaN : Number(contentLength ?? NaN)
    const bytes = declared >= size ? Math.min(declared, maxBufferedBytes) : maxBufferedBytes
    reservation = await memory?.reserve(bytes, signal)
    const buffer = Buffer.allocUnsafeSlow(bytes)
    Buffer.concat(pieces).copy(buffer)
    pieces.length = 0
    return buffer
  }

  return {
    async add(chunk: Buffer): Promise<void> {
      if (!whole && size + chunk.length > UNRESERVED_BYTES) whole = await enlarge()
      if (whole) chunk.copy(whole, Math.min(size, whole.length))
      else pieces.push(chunk)
      size += chunk.length
    },
    finish(): Buffer {
      const bytes = (whole ?? Buffer.concat(pieces)).subarray(0, Math.min(size, maxBufferedBytes))
      reservation?.shrinkTo(bytes.length)
      return bytes
    },
  }
}

export class SlowBodyError extends Error {}

/** Passes the chunks of a body on, and destroys it when they come too slowly. */
async function* assertSpeed(body: Readable): AsyncGenerator<Buffer> {
  let timer: NodeJS.Timeout | undefined
  let recent = [0]
  // After a pause of the process only one tick runs, so a fast body does not count as slow.
  const tick = () => {
    // What waits to be read has arrived: its reader is slow, and not its sender.
    if (body.readableLength > 0) return
    const bytes = recent.reduce((sum, count) => sum + count, 0)
    if (recent.length >= SPEED_WINDOW_S && bytes < MIN_BYTES_PER_SECOND * SPEED_WINDOW_S)
      body.destroy(new SlowBodyError(`${bytes} bytes in ${SPEED_WINDOW_S} seconds`))
    recent = [0, ...recent.slice(0, SPEED_WINDOW_S - 1)]
  }
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      timer ??= setInterval(tick, 1_000)
      recent[0]! += chunk.length
      yield chunk
    }
  } finally {
    clearInterval(timer)
  }
}

/** Decoders in the order of decoding: the encoding that was applied last comes first. */
function createDecoders(encoding = ''): Transform[] {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name && name !== 'identity')
  if (names.length > MAX_ENCODINGS) throw unsupportedEncoding(encoding)
  return names.toReversed().map((name) => {
    const createDecoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined
    if (!createDecoder) throw unsupportedEncoding(name)
    return createDecoder()
  })
}

class UnsupportedEncodingError extends Error {
  readonly code = 'ERR_ENCODING'
}

const unsupportedEncoding = (name: string) =>
  new UnsupportedEncodingError(`unsupported content-encoding ${name.slice(0, 99)}`)
