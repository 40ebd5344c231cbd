import type { Context } from 'hono'
import { createCompressor } from './compressor.js'
import { matchesEtag } from './etag.js'
import type { StreamedBody } from './file-body.js'
import { mergeHeaders } from './merge-headers.js'
import { negotiateEncoding } from './negotiate-encoding.js'
import { parseByteRange, type ByteRange } from './parse-byte-range.js'
import type { ResponseBody } from './response-body.js'
import type { RouterEnv } from './router.js'

/**
 * The response to a request with a body: 200 with all of it, 206 with the requested range, or 304 without it.
 *
 * @param extraHeaders  In addition to those of the body.
 */
export function sendBody(
  request: Request,
  body: ResponseBody | StreamedBody,
  extraHeaders: Record<string, string>,
): Response {
  const headers = mergeHeaders(extraHeaders, body.headers)
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

/** Returns a function that sends a body as `sendBody` does, in the content coding that the client accepts. */
export function createCompressedSender() {
  const compress = createCompressor()
  return async (c: Context<RouterEnv>, body: ResponseBody, extraHeaders: Record<string, string>): Promise<Response> => {
    const encoding = negotiateEncoding(c.req.header('accept-encoding'))
    const { client } = c.var.request
    const compressed = await compress(body, { encoding, client, signal: c.req.raw.signal })
    return sendBody(c.req.raw, compressed, extraHeaders)
  }
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
