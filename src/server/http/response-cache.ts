import { LRUCache } from 'lru-cache'
import type { ResolvedResult } from '../results/index.js'
import type { Compressor } from './compressor.js'
import { mergeHeaders } from './merge-headers.js'
import { negotiateEncoding, type ContentEncoding } from './negotiate-encoding.js'
import type { ResponseBody } from './response-body.js'

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
}

/** An in-memory cache of responses by URL, bounded in bytes and time. */
export interface ResponseCache {
  /** @param headers  Those that all responses from this result share. */
  set(url: string, result: ResolvedResult, body: ResponseBody, headers: Record<string, string>): void
  /** The response while it is fresh, in the best content coding that the client accepts. */
  get(url: string, acceptEncoding: string | undefined): PreparedResponse | undefined
  /**
   * Drops the responses of a result that was replaced, and ignores later ones that were built from an older result.
   *
   * @param createdAt  When the new result was produced, milliseconds since 1970.
   */
  replace: (key: string, createdAt: number) => void
  clear(): void
}

/** A response, and its content codings that were requested so far. */
interface CachedResponse {
  result: ResolvedResult
  prepare: (encoding: ContentEncoding | undefined) => PreparedResponse
  prepared: Partial<Record<ContentEncoding | 'identity', PreparedResponse>>
  /** Bytes of the body. */
  size: number
}

const MAX_BYTES = 64 * 1024 * 1024
/** A larger body would evict too many others. */
const MAX_BODY_BYTES = 8 * 1024 * 1024
/** Memory of the headers in each content coding, in addition to the body. */
const OVERHEAD_BYTES = 2_048
/** V8 hashes longer strings than 16,383 characters by their length alone, so that each lookup would compare them all. */
const MAX_URL_CHARS = 8_192
/** Other processes write to the store as well, so a response is served only this long without reading the store. */
const TTL_MS = 1_000
const MAX_REPLACED = 10_000
/** Beyond it, copying the body costs more than a second write to the socket. */
const MAX_TEXT_BYTES = 16 * 1024

/** @param clock  Milliseconds since 1970, for the freshness of results. */
export function createResponseCache(compress: Compressor, clock: () => number): ResponseCache {
  const responses = new LRUCache<string, CachedResponse>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_BODY_BYTES,
    sizeCalculation: ({ size }, url) => 2 * size + url.length + OVERHEAD_BYTES,
    ttl: TTL_MS,
    dispose: ({ result }, url) => urlsByKey.delete(result.key, url),
  })
  const urlsByKey = createUrlIndex()
  const replacedAt = new LRUCache<string, number>({ max: MAX_REPLACED })
  let purgedAt = performance.now()
  // Otherwise expired responses would stay in memory until they are requested again or evicted.
  const evictExpired = () => {
    if (performance.now() - purgedAt < TTL_MS) return
    purgedAt = performance.now()
    responses.purgeStale()
  }
  return {
    set(url, result, body, headers) {
      evictExpired()
      if (url.length > MAX_URL_CHARS || result.entry.createdAt < (replacedAt.get(result.key) ?? 0)) return
      const prepare = (encoding: ContentEncoding | undefined) =>
        prepareResponse(result, compress(body, encoding), headers)
      responses.set(url, { result, prepare, prepared: {}, size: body.bytes.byteLength })
      if (responses.has(url)) urlsByKey.add(result.key, url)
    },
    get(url, acceptEncoding) {
      const cached = url.length > MAX_URL_CHARS ? undefined : responses.get(url)
      if (!cached || !isFresh(cached.result, clock())) return undefined
      const encoding = negotiateEncoding(acceptEncoding)
      return (cached.prepared[encoding ?? 'identity'] ??= cached.prepare(encoding))
    },
    replace(key, createdAt) {
      replacedAt.set(key, createdAt)
      for (const url of urlsByKey.of(key)) responses.delete(url)
    },
    clear: () => responses.clear(),
  }
}

/** The URLs whose responses are from the same result. */
function createUrlIndex() {
  const index = new Map<string, Set<string>>()
  return {
    of: (key: string): readonly string[] => [...(index.get(key) ?? [])],
    add(key: string, url: string): void {
      const urls = index.get(key)
      if (urls) urls.add(url)
      else index.set(key, new Set([url]))
    },
    delete(key: string, url: string): void {
      const urls = index.get(key)
      urls?.delete(url)
      if (urls?.size === 0) index.delete(key)
    },
  }
}

function prepareResponse(
  result: ResolvedResult,
  body: ResponseBody,
  headers: Record<string, string>,
): PreparedResponse {
  const { buffer, byteOffset, byteLength } = body.bytes
  const headerList = Object.entries(mergeHeaders(headers, body.headers)).flat()
  const isSmall = byteLength <= MAX_TEXT_BYTES
  return {
    result,
    etag: body.headers.etag,
    headers: headerList,
    headersWithLength: [...headerList, 'content-length', String(byteLength)],
    body: isSmall ? Buffer.from(buffer, byteOffset, byteLength).toString('latin1') : body.bytes,
  }
}

const isFresh = ({ entry, ttlMs, staleTtlMs }: ResolvedResult, now: number) =>
  now - entry.createdAt < (staleTtlMs === false ? ttlMs : staleTtlMs)
