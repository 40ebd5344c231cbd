import { LRUCache } from 'lru-cache'
import type { ResolvedResult } from '../results/index.js'
import type { ResponseBody } from './response-body.js'
import { codingFor, type Coding, type Compressor } from './compressor.js'

/** An answer with everything but the facts of one request. */
export interface PreparedResponse {
  given: ResolvedResult
  etag: string | undefined
  /** Names and values in turn; and the same with the body's length. */
  headers: readonly string[]
  headersWithLength: readonly string[]
  /** A short one is text with a character for each byte, which Node sends in one piece with the head. */
  body: Uint8Array | string
}

export interface ResponseCache {
  /** Keeps what was given for an address, with the headers that hold for as long as it is kept. */
  keep(url: string, given: ResolvedResult, body: ResponseBody, headers: Record<string, string>): void
  /** What was given for the very same address a moment ago, while it is fresh, in the coding that is asked for. */
  get(url: string, acceptEncoding: string | undefined): PreparedResponse | undefined
}

/** One answer in the codings that were asked for so far. */
interface Ready {
  given: ResolvedResult
  encode: (coding: Coding | undefined) => PreparedResponse
  encoded: Partial<Record<Coding | 'identity', PreparedResponse>>
}

const MAX_BYTES = 64 * 1024 * 1024
/** A large one would put out all others. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024
/** How long bytes are sent without a look into the store, which other processes write to as well. */
const READY_MS = 1_000
/** Beyond it, copying costs more than a second piece. */
const MAX_TEXT_BYTES = 16 * 1024

/** A memory of what was just sent, bounded in bytes and time. */
export function createResponseCache(compress: Compressor, clock: () => number): ResponseCache {
  const answers = new LRUCache<string, Ready & { size: number }>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_ANSWER_BYTES,
    sizeCalculation: ({ size }, key) => 2 * size + key.length + 2_048,
    ttl: READY_MS,
  })
  return {
    keep(url, given, body, headers) {
      const encode = (coding: Coding | undefined) => readyAnswer(given, compress(body, coding), headers)
      answers.set(url, { given, encode, encoded: {}, size: body.bytes.byteLength })
    },
    get(url, acceptEncoding) {
      const known = answers.get(url)
      if (!known || !isFresh(known.given, clock())) return undefined
      const coding = codingFor(acceptEncoding)
      return (known.encoded[coding ?? 'identity'] ??= known.encode(coding))
    },
  }
}

function readyAnswer(given: ResolvedResult, body: ResponseBody, headers: Record<string, string>): PreparedResponse {
  const { buffer, byteOffset, byteLength } = body.bytes
  const list = Object.entries({ ...headers, ...body.headers }).flat()
  const isShort = byteLength <= MAX_TEXT_BYTES
  return {
    given,
    etag: body.headers.etag,
    headers: list,
    headersWithLength: [...list, 'content-length', String(byteLength)],
    body: isShort ? Buffer.from(buffer, byteOffset, byteLength).toString('latin1') : body.bytes,
  }
}

const isFresh = ({ kept, ttlMs, staleTtlMs }: ResolvedResult, now: number) =>
  now - kept.createdAt < (staleTtlMs === false ? ttlMs : staleTtlMs)
