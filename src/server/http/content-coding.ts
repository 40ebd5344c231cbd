import type { Context } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import { LRUCache } from 'lru-cache'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { createFairQueue, type Waiters } from '../budget/index.js'
import { busyError } from '../busy-error.js'
import { createSingleFlight, runOrTakeOver } from '../jobs/index.js'
import { sendBody, type ResponseBody } from './response.js'
import type { RouterEnv } from './request-scopes.js'

/** A content coding that the service compresses with. */
export type ContentEncoding = 'br' | 'gzip'

const MAX_HEADERS = 200
/** No client sends a longer one, which would take memory; see `BoundedRequest` for long keys. */
const MAX_HEADER_CHARS = 256

/** Clients send few different headers, so each is parsed once and not with every cached response. */
const negotiated = new LRUCache<string, { encoding: ContentEncoding | undefined }>({ max: MAX_HEADERS })

/**
 * Selects the content coding with the highest weight in an `accept-encoding` header; Brotli if both weigh the same.
 *
 * @returns  `undefined`: the body is sent uncompressed, as with a header of more than 256 characters.
 * @see      https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
 */
export function negotiateEncoding(acceptEncoding: string | null | undefined): ContentEncoding | undefined {
  if (!acceptEncoding || acceptEncoding.length > MAX_HEADER_CHARS) return undefined
  const cached = negotiated.get(acceptEncoding)
  if (cached) return cached.encoding
  const encoding = selectEncoding(acceptEncoding)
  negotiated.set(acceptEncoding, { encoding })
  return encoding
}

function selectEncoding(acceptEncoding: string): ContentEncoding | undefined {
  const weights = new Map(parseAccept(acceptEncoding).map(({ type, q }) => [type.toLowerCase(), q]))
  const weightOf = (encoding: ContentEncoding) => weights.get(encoding) ?? weights.get('*') ?? 0
  const best = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip'
  return weightOf(best) > 0 ? best : undefined
}

/**
 * Compresses a body with a content coding, or returns it as it is without one. Each content is compressed once per coding, and not
 * on the main thread; clients take turns. Hono's `compress` has no Brotli, no cache and no turns.
 */
export type Compressor = (
  body: ResponseBody,
  options: { encoding: ContentEncoding | undefined; client: string; signal: AbortSignal },
) => Promise<ResponseBody>

const CACHE_BYTES = 16 * 1024 * 1024
/** Smaller bodies hardly shrink. */
const MIN_BYTES = 256
/** The highest level is 11; those above this one double the time for a few percent. */
const BROTLI_QUALITY = 5
/** Half of the threads that also look up names and read files: https://nodejs.org/api/cli.html#uv_threadpool_sizesize */
const MAX_CONCURRENT = 2
/** More than the connections of all clients send before they get a response. */
const MAX_WAITING = 10_000

/** Images, audio and video are compressed already. */
const COMPRESSIBLE_TYPE = /^(text\/|application\/(json|javascript|manifest\+json))/

const [compressWithBrotli, compressWithGzip] = [promisify(brotliCompress), promisify(gzip)]
const encoders: Readonly<Record<ContentEncoding, (bytes: Uint8Array) => Promise<Buffer>>> = {
  br: (bytes) => compressWithBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes) => compressWithGzip(bytes),
}

/** Compressed bodies are cached by etag, so a body without one stays uncompressed. */
export function createCompressor(): Compressor {
  const cache = new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (bytes, key) => bytes.byteLength + key.length,
  })
  const flights = createSingleFlight<Uint8Array<ArrayBuffer>>()
  const queue = createFairQueue({ concurrency: MAX_CONCURRENT, maxWaiting: MAX_WAITING, fullError })

  async function compress(key: string, bytes: Uint8Array, encoding: ContentEncoding) {
    const compressed = new Uint8Array(await encoders[encoding](bytes))
    cache.set(key, compressed)
    return compressed
  }

  return async (body, { encoding, client, signal }) => {
    const { etag, 'content-type': contentType = '' } = body.headers
    if (!COMPRESSIBLE_TYPE.test(contentType) || etag === undefined) return body
    const headers = { ...body.headers, vary: 'accept-encoding' }
    if (!encoding || body.bytes.byteLength < MIN_BYTES) return { ...body, headers }
    const key = `${encoding} ${etag}`
    const compressInTurn = (flight: AbortSignal, waiters: Waiters) =>
      queue.run({ client, waiters }, () => compress(key, body.bytes, encoding), flight)
    const bytes = cache.get(key) ?? (await runOrTakeOver(flights, key, compressInTurn, { signal, waiter: { client } }))
    return { bytes, headers: { ...headers, 'content-encoding': encoding, etag: `W/${etag}` } }
  }
}

/** Sends a body as `sendBody` does, in the content coding that the client accepts. */
export async function sendCompressed(
  c: Context<RouterEnv>,
  { compress }: { compress: Compressor },
  body: ResponseBody,
  extraHeaders: Record<string, string>,
): Promise<Response> {
  const encoding = negotiateEncoding(c.req.header('accept-encoding'))
  const compressed = await compress(body, { encoding, client: c.var.request.network, signal: c.req.raw.signal })
  return sendBody(c.req.raw, compressed, extraHeaders)
}

const fullError = () => busyError('Too many responses are waiting to be compressed', { retryAfterMs: 1_000 })
