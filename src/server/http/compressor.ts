import { LRUCache } from 'lru-cache'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { ContentEncoding } from './negotiate-encoding.js'
import type { ResponseBody } from './response-body.js'

/** Compresses a body with a content coding; each content is compressed once per coding. */
export interface Compressor {
  (body: ResponseBody, encoding: ContentEncoding | undefined): ResponseBody
}

const CACHE_BYTES = 16 * 1024 * 1024
/** Smaller bodies hardly shrink. */
const MIN_BYTES = 256
/** The highest level is 11; those above this one double the time for a few percent. */
const BROTLI_QUALITY = 5

/** Images, audio and video are compressed already. */
const COMPRESSIBLE_TYPE = /^(text\/|application\/(json|javascript|manifest\+json))/

const encoders: Readonly<Record<ContentEncoding, (bytes: Uint8Array) => Buffer>> = {
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes) => gzipSync(bytes),
}

/** Compressed bodies are cached by etag, so a body without one stays uncompressed. */
export function createCompressor(): Compressor {
  const cache = new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (bytes, key) => bytes.byteLength + key.length,
  })

  const compress = (encoding: ContentEncoding, etag: string, bytes: Uint8Array) => {
    const key = `${encoding} ${etag}`
    const cached = cache.get(key)
    if (cached) return cached
    const compressed = new Uint8Array(encoders[encoding](bytes))
    cache.set(key, compressed)
    return compressed
  }

  return (body, encoding) => {
    const { etag, 'content-type': contentType = '' } = body.headers
    if (!COMPRESSIBLE_TYPE.test(contentType) || etag === undefined) return body
    const headers = { ...body.headers, vary: 'accept-encoding' }
    if (!encoding || body.bytes.byteLength < MIN_BYTES) return { ...body, headers }
    const bytes = compress(encoding, etag, body.bytes)
    return { ...body, bytes, headers: { ...headers, 'content-encoding': encoding, etag: `W/${etag}` } }
  }
}
