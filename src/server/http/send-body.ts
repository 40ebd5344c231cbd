import type { Compressor } from './compressor.js'
import { matchesEtag } from './etag.js'
import { negotiateEncoding } from './negotiate-encoding.js'
import { parseByteRange, type ByteRange } from './parse-byte-range.js'
import type { ResponseBody } from './response-body.js'

export interface SendOptions {
  /** Default: the body is sent uncompressed. */
  compress?: Compressor
  /** Headers beside those of the body. */
  headers: Record<string, string>
}

/** The response to a request with a body: 200 with all of it, 206 with the requested range, or 304 without it. */
export function sendBody(request: Request, original: ResponseBody, options: SendOptions): Response {
  const encoding = negotiateEncoding(request.headers.get('accept-encoding'))
  const body = options.compress ? options.compress(original, encoding) : original
  const headers = { ...options.headers, ...body.headers }
  if (matchesEtag(request.headers.get('if-none-match'), body.headers.etag))
    return new Response(null, { status: 304, headers })

  const size = body.bytes.byteLength
  const range = requestedRange(request, body)
  if (!range) return new Response(body.bytes, { headers: { ...headers, 'content-length': String(size) } })
  const { start, end } = range
  return new Response(body.bytes.subarray(start, end + 1), {
    status: 206,
    headers: {
      ...headers,
      'content-length': String(end + 1 - start),
      'content-range': `bytes ${start}-${end}/${size}`,
    },
  })
}

/** `undefined` where the whole body has to be sent, for example because it has changed since the first range. */
function requestedRange({ method, headers }: Request, body: ResponseBody): ByteRange | undefined {
  if (method !== 'GET' || !body.headers['accept-ranges']) return undefined
  const ifRange = headers.get('if-range')
  if (ifRange !== null && ifRange !== body.headers.etag) return undefined
  return parseByteRange(headers.get('range'), body.bytes.byteLength)
}
