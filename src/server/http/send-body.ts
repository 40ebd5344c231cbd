import type { ResponseBody } from './response-body.js'
import { byteRange } from './byte-range.js'
import { codingFor, type Compressor } from './compressor.js'
import { matches } from './etag.js'

/** Sends a body as this request wants it: compressed, a part of it, or not at all when it has it already. */
export function sendBody(
  { method, headers: asked }: Request,
  plain: ResponseBody,
  { compress, headers: facts }: { compress?: Compressor; headers: Record<string, string> },
): Response {
  const body = compress ? compress(plain, codingFor(asked.get('accept-encoding'))) : plain
  const headers = { ...facts, ...body.headers }
  if (matches(asked.get('if-none-match'), body.headers.etag)) return new Response(null, { status: 304, headers })

  const size = body.bytes.byteLength
  const isSame = [null, body.headers.etag].includes(asked.get('if-range'))
  const isDivisible = method === 'GET' && body.headers['accept-ranges'] && isSame
  const range = isDivisible ? byteRange(asked.get('range'), size) : undefined
  if (!range) return new Response(body.bytes, { headers: { ...headers, 'content-length': String(size) } })
  const { first, last } = range
  return new Response(body.bytes.subarray(first, last + 1), {
    status: 206,
    headers: {
      ...headers,
      'content-length': String(last + 1 - first),
      'content-range': `bytes ${first}-${last}/${size}`,
    },
  })
}
