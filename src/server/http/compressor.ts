import { LRUCache } from 'lru-cache'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { ResponseBody } from './response-body.js'

export type Coding = 'br' | 'gzip'

/** Gives a body in the coding that a client understands; compressed once, however often it is asked for. */
export interface Compressor {
  (body: ResponseBody, coding: Coding | undefined): ResponseBody
}

const MAX_BYTES = 16 * 1024 * 1024
/** Below that the frame around it takes what is saved. */
const MIN_LENGTH = 256
/** Of 11: beyond it the time doubles for a few percent. */
const BROTLI_QUALITY = 5

const COMPRESSIBLE = /^(text\/|application\/(json|javascript|manifest\+json))/

/** Pictures, sound and film are compressed already. */
const isCompressible = ({ headers }: ResponseBody): boolean => COMPRESSIBLE.test(headers['content-type'] ?? '')

const encoders: Readonly<Record<Coding, (bytes: Uint8Array) => Buffer>> = {
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes) => gzipSync(bytes),
}

/** What is compressed is known by its etag, so a body without one is left as it is. */
export function createCompressor(): Compressor {
  const compressed = new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: MAX_BYTES,
    sizeCalculation: (bytes, key) => bytes.byteLength + key.length,
  })

  const compress = (coding: Coding, etag: string, bytes: Uint8Array) => {
    const key = `${coding} ${etag}`
    const known = compressed.get(key)
    if (known) return known
    const fresh = new Uint8Array(encoders[coding](bytes))
    compressed.set(key, fresh)
    return fresh
  }

  return (body, coding) => {
    const { etag } = body.headers
    if (!isCompressible(body) || etag === undefined) return body
    const headers = { ...body.headers, vary: 'accept-encoding' }
    if (!coding || body.bytes.byteLength < MIN_LENGTH) return { ...body, headers }
    const bytes = compress(coding, etag, body.bytes)
    return { ...body, bytes, headers: { ...headers, 'content-encoding': coding, etag: `W/${etag}` } }
  }
}

/** The best coding of an `accept-encoding`: https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3 */
export function codingFor(acceptEncoding: string | null | undefined): Coding | undefined {
  if (!acceptEncoding) return undefined
  const weights = new Map(
    acceptEncoding.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
      return [name, Number(weight) || 0] as const
    }),
  )
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const best = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip'
  return weightOf(best) > 0 ? best : undefined
}
