import { addAbortSignal, type Readable } from 'node:stream'
import { UNRESERVED_BYTES, type ReservedMemory } from '../../budget/index.js'
import { decodeBody } from './decode-body.js'

export interface BodyContent {
  /** The first `maxBufferedBytes`, without what was compacted. */
  bytes: Buffer
  /** Whether these are all bytes of a body that ended within `maxBytes`. */
  isComplete: boolean
  /** Why a body ended early: the error of the connection or of the decoder, or `SlowBodyError`. Only with `acceptsPart`. */
  failure?: unknown
}

export interface ReadBodyOptions {
  /** Limit of the decompressed size. */
  maxBytes: number
  /** The rest is counted and dropped. Default: `maxBytes`. */
  maxBufferedBytes?: number
  /**
   * Frees room when `maxBufferedBytes` have been received, by moving what is needed to the start of the buffer.
   *
   * @returns  The number of bytes that are needed.
   */
  compact?: (buffer: Buffer) => number
  /** Accepts what has arrived of a body that ends early. Default: such a body is an error. */
  acceptsPart?: boolean
  /** Whether a body that has paused is whole, by the last bytes of it. Default: only its end makes it whole. */
  isWhole?: (end: Buffer) => boolean
  /** Milliseconds, after which the body counts as too slow. Default: only the signal ends it. */
  timeoutMs?: number
  /** Where memory is reserved for a body that is not small. */
  memory?: ReservedMemory | undefined
  signal: AbortSignal
}

/** A body that goes on more slowly is not worth the slot and the memory that it takes. */
const MIN_BYTES_PER_SECOND = 1_000
/** The speed is measured over as many seconds, from the first byte on. */
const SPEED_WINDOW_S = 3
/** A pass that leaves more of the buffer was hardly worth its time. */
const MAX_COMPACTED_SHARE = 7 / 8
/** How many bytes `isWhole` gets. */
const END_BYTES = 256

/**
 * Reads and decompresses a body, and stops at `maxBytes` of decompressed data, so that a small body cannot exhaust the memory.
 *
 * @throws  {Error} of the stream; {ContentEncodingError} of the decoder; {SlowBodyError} for less than 1 kB/s on the wire over 3
 *          seconds, or after `timeoutMs`. With `acceptsPart`, these are returned. An aborted `signal` throws an `AbortError`.
 */
export async function readBody(
  { headers, body }: { headers: Readonly<Record<string, string | string[] | undefined>>; body: Readable },
  options: ReadBodyOptions,
): Promise<BodyContent> {
  const { maxBytes, acceptsPart, signal } = options
  const encoding = headers['content-encoding']?.toString()
  const content = collectBytes({ ...options, declaredBytes: encoding ? NaN : Number(headers['content-length']) })
  const wire = readWire(addAbortSignal(signal, body), { ...options, received: () => content.end() })
  let size = 0
  let failure: unknown
  let isComplete = true
  try {
    for await (const chunk of decodeBody(wire.chunks, encoding)) {
      size += chunk.length
      isComplete = size <= maxBytes
      if (!isComplete) break
      await content.add(chunk)
    }
  } catch (error) {
    failure = error
  }
  signal.throwIfAborted()
  failure ??= wire.failure()
  if (failure && !acceptsPart) throw failure
  return {
    bytes: content.finish(),
    isComplete: isComplete && !failure && !content.isFull(),
    ...(failure !== undefined && { failure }),
  }
}

/**
 * Collects the start of a body. What is small is in pieces; beyond that, all that may still come gets one buffer, whose pages take no
 * memory until they are written, so that a large body is in memory once.
 */
function collectBytes({
  declaredBytes,
  maxBytes,
  maxBufferedBytes = maxBytes,
  compact,
  memory,
  signal,
}: ReadBodyOptions & { declaredBytes: number }) {
  const pieces: Buffer[] = []
  let size = 0
  let isFull = false
  let mayCompact = true
  let whole: Buffer | undefined
  let reservation: Awaited<ReturnType<ReservedMemory['reserve']>> | undefined

  async function enlarge(nextBytes: number): Promise<Buffer> {
    const isDeclared = declaredBytes >= size + nextBytes
    const bytes = isDeclared ? Math.min(declaredBytes, maxBufferedBytes) : maxBufferedBytes
    reservation = await memory?.reserve(bytes, signal)
    const buffer = Buffer.allocUnsafeSlow(bytes)
    Buffer.concat(pieces).copy(buffer)
    pieces.length = 0
    return buffer
  }

  function append(buffer: Buffer, chunk: Buffer): void {
    if (size + chunk.length > buffer.length && compact && mayCompact) {
      const left = compact(buffer.subarray(0, size))
      // Each pass reads the whole buffer, so one that hardly frees room is the last.
      mayCompact = left <= size * MAX_COMPACTED_SHARE
      size = left
    }
    const copied = isFull ? 0 : chunk.copy(buffer, size)
    size += copied
    isFull ||= copied < chunk.length
  }

  return {
    async add(chunk: Buffer): Promise<void> {
      if (!whole && size + chunk.length > UNRESERVED_BYTES) whole = await enlarge(chunk.length)
      if (whole) append(whole, chunk)
      else {
        pieces.push(chunk)
        size += chunk.length
      }
    },
    /** The last bytes so far. */
    end: (): Buffer =>
      whole ? whole.subarray(Math.max(0, size - END_BYTES), size) : (pieces.at(-1) ?? Buffer.alloc(0)),
    /** Whether bytes were dropped. */
    isFull: () => isFull,
    finish(): Buffer {
      const bytes = (whole ?? Buffer.concat(pieces)).subarray(0, size)
      reservation?.shrinkTo(bytes.length)
      return bytes
    },
  }
}

export class SlowBodyError extends Error {
  override readonly name = 'SlowBodyError'
}

/** The chunks of a body as they arrive. They end early, with a failure, when the connection does, or when they come too slowly. */
function readWire(
  body: Readable,
  { isWhole, timeoutMs, signal, received }: ReadBodyOptions & { received: () => Buffer },
): { chunks: AsyncIterable<Buffer>; failure: () => unknown } {
  let failure: unknown
  let hasEnded = false
  let recent = [0]
  // After a pause of the process only one tick runs, so a fast body does not count as slow.
  const tick = () => {
    // What waits to be read has arrived: its reader is slow, and not its sender.
    if (body.readableLength > 0) return
    const bytes = recent.reduce((sum, count) => sum + count, 0)
    if (recent[0] === 0 && isWhole?.(received().subarray(-END_BYTES))) {
      hasEnded = true
      body.destroy()
    } else if (recent.length >= SPEED_WINDOW_S && bytes < MIN_BYTES_PER_SECOND * SPEED_WINDOW_S)
      body.destroy(new SlowBodyError(`${bytes} bytes in ${SPEED_WINDOW_S} seconds`))
    recent = [0, ...recent.slice(0, SPEED_WINDOW_S - 1)]
  }

  async function* chunks(): AsyncGenerator<Buffer> {
    let timer: NodeJS.Timeout | undefined
    const timeout =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => body.destroy(new SlowBodyError(`no end in time`)), timeoutMs)
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        timer ??= setInterval(tick, 1_000)
        recent[0]! += chunk.length
        yield chunk
      }
    } catch (error) {
      if (signal.aborted) throw error
      if (!hasEnded) failure = error
    } finally {
      clearTimeout(timeout)
      clearInterval(timer)
    }
  }
  return { chunks: chunks(), failure: () => failure }
}
