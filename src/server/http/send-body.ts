import type { Compressor } from './compressor.js'
import { matchesEtag } from './etag.js'
import type { StreamedBody } from './file-body.js'
import { mergeHeaders } from './merge-headers.js'
import { negotiateEncoding } from './negotiate-encoding.js'
import { parseByteRange, type ByteRange } from './parse-byte-range.js'
import type { ResponseBody } from './response-body.js'

export interface SendOptions {
  /** Default: the body is sent uncompressed. */
  compress?: Compressor
  /** Headers in addition to those of the body. */
  headers: Record<string, string>
}

/** The response to a request with a body: 200 with all of it, 206 with the requested range, or 304 without it. */
export function sendBody(request: Request, original: ResponseBody | StreamedBody, options: SendOptions): Response {
  const encoding = negotiateEncoding(request.headers.get('accept-encoding'))
  const body = options.compress && 'bytes' in original ? options.compress(original, encoding) : original
  const headers = mergeHeaders(options.headers, body.headers)
  if (matchesEtag(request.headers.get('if-none-match'), body.headers.etag))
    return new Response(null, { status: 304, headers })

  const size = 'bytes' in body ? body.bytes.byteLength : body.image.size
  const range = requestedRange(request, body, size)
  const { start, end } = range ?? { start: 0, end: size - 1 }
  return new Response(request.method === 'HEAD' ? null : contentOf(body, { start, end }), {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'content-length': String(end + 1 - start),
      ...(range && { 'content-range': `bytes ${start}-${end}/${size}` }),
    },
  })
}

const contentOf = (body: ResponseBody | StreamedBody, { start, end }: ByteRange) =>
  'bytes' in body ? body.bytes.subarray(start, end + 1) : body.image.stream({ start, end })

/** `undefined` where the whole body has to be sent, for example because it has changed since the first range. */
function requestedRange(
  { method, headers }: Request,
  body: ResponseBody | StreamedBody,
  size: number,
): ByteRange | undefined {
  if (method !== 'GET' || !body.headers['accept-ranges']) return undefined
  const ifRange = headers.get('if-range')
  if (ifRange !== null && ifRange !== body.headers.etag) return undefined
  return parseByteRange(headers.get('range'), size)
}
