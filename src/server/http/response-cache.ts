import { LRUCache } from 'lru-cache'
import type { ResolvedResult } from '../results/index.js'
import { negotiateEncoding, type ContentEncoding } from './content-coding.js'
import type { ResponseBody } from './response.js'
import { mergeHeaders } from './response-headers.js'

/** A response in one content coding, complete except for the headers that change with each request. */
export interface PreparedResponse {
  result: ResolvedResult
  etag: string | undefined
  /** Names and values alternate. */
  headers: readonly string[]
  /** The same with `content-length`, which a 304 must not have. */
  headersWithLength: readonly string[]
  /** A small body is latin1 text, one character per byte, which Node writes to the socket together with the headers. */
  body: Uint8Array | string
  /** When a request last read the result from the store, in the time of `performance.now()`. */
  readAt: number
}

/** An in-memory cache of responses by URL and content coding, bounded in bytes. */
export interface ResponseCache {
  /**
   * Adds the response in one content coding.
   *
   * @param encoding  The encoding that the client prefers, even if the body is too short for it.
   * @param headers   Those that all responses from this result share.
   */
  set(
    url: string,
    encoding: ContentEncoding | undefined,
    result: ResolvedResult,
    response: { body: ResponseBody; headers: Record<string, string> },
  ): void
  /**
   * The response while it is fresh, in the best content coding that the client accepts, if it was added in that one. Once per second
   * it is `undefined` for one request, which reads the store instead.
   */
  get(url: string, acceptEncoding: string | undefined): PreparedResponse | undefined
  /**
   * Drops the responses of a result that was replaced, and ignores later ones that were built from an older result.
   *
   * @param createdAt  When the new result was produced, milliseconds since 1970.
   */
  replace: (key: string, createdAt: number) => void
  /** Drops the responses to a URL in all content codings. */
  delete(url: string): void
  clear(): void
}

const MAX_BYTES = 32 * 1024 * 1024
/** A larger body would evict too many others. */
const MAX_BODY_BYTES = 8 * 1024 * 1024
/** Memory of the headers, in addition to the body. */
const OVERHEAD_BYTES = 2_048
/** See `BoundedRequest` for long keys. */
const MAX_URL_CHARS = 8_192
/**
 * How often one request of a response reads the store: that counts as an access for its LRU eviction, and notices an entry that was
 * evicted, or replaced by another process.
 */
const READ_INTERVAL_MS = 1_000
const MAX_REPLACED = 10_000
/** The length beyond which copying the body costs more than a second write to the socket. */
const MAX_TEXT_BYTES = 16 * 1024

/** @param clock  Milliseconds since 1970, for the freshness of results. */
export function createResponseCache(clock: () => number): ResponseCache {
  const responses = new LRUCache<string, PreparedResponse>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_BODY_BYTES,
    sizeCalculation: ({ body }, key) => body.length + key.length + OVERHEAD_BYTES,
    dispose: ({ result }, key) => responseKeys.delete(result.key, key),
  })
  const responseKeys = createKeyIndex()
  const replacedAt = new LRUCache<string, number>({ max: MAX_REPLACED })
  return {
    set(url, encoding, result, response) {
      if (url.length > MAX_URL_CHARS || result.entry.createdAt < (replacedAt.get(result.key) ?? 0)) return
      const key = responseKey(url, encoding)
      responses.set(key, prepareResponse(result, response))
      if (responses.has(key)) responseKeys.add(result.key, key)
    },
    get(url, acceptEncoding) {
      if (url.length > MAX_URL_CHARS) return undefined
      const cached = responses.get(responseKey(url, negotiateEncoding(acceptEncoding)))
      if (!cached || !isFresh(cached.result, clock())) return undefined
      const now = performance.now()
      if (now - cached.readAt < READ_INTERVAL_MS) return cached
      // Others are served from memory meanwhile.
      cached.readAt = now
      return undefined
    },
    replace(key, createdAt) {
      replacedAt.set(key, createdAt)
      for (const each of responseKeys.of(key)) responses.delete(each)
    },
    delete(url) {
      for (const encoding of ENCODINGS) responses.delete(responseKey(url, encoding))
    },
    clear: () => responses.clear(),
  }
}

const ENCODINGS: readonly (ContentEncoding | undefined)[] = ['br', 'gzip', undefined]
const responseKey = (url: string, encoding: ContentEncoding | undefined) => `${encoding ?? 'identity'} ${url}`

/** The keys of the responses that are from the same result. */
function createKeyIndex() {
  const index = new Map<string, Set<string>>()
  return {
    of: (resultKey: string): readonly string[] => [...(index.get(resultKey) ?? [])],
    add(resultKey: string, key: string): void {
      const keys = index.get(resultKey)
      if (keys) keys.add(key)
      else index.set(resultKey, new Set([key]))
    },
    delete(resultKey: string, key: string): void {
      const keys = index.get(resultKey)
      keys?.delete(key)
      if (keys?.size === 0) index.delete(resultKey)
    },
  }
}

function prepareResponse(
  result: ResolvedResult,
  { body, headers }: { body: ResponseBody; headers: Record<string, string> },
): PreparedResponse {
  const { buffer, byteOffset, byteLength } = body.bytes
  const headerList = Object.entries(mergeHeaders(headers, body.headers)).flat()
  const isSmall = byteLength <= MAX_TEXT_BYTES
  return {
    result,
    etag: body.headers.etag,
    headers: headerList,
    headersWithLength: [...headerList, 'content-length', String(byteLength)],
    readAt: performance.now(),
    body: isSmall ? Buffer.from(buffer, byteOffset, byteLength).toString('latin1') : body.bytes,
  }
}

const isFresh = ({ entry, ttlMs, staleTtlMs }: ResolvedResult, now: number) =>
  now - entry.createdAt < (staleTtlMs === false ? ttlMs : staleTtlMs)
