import { parse as parseRanges } from 'range-parser'
import { errorBody } from '../../query/help/index.js'
import { isPageError, PageError } from '../../query/index.js'
import type { ImageName, ImageStore, StoredImage } from '../store/index.js'
import { contentHeaders, errorHeaders, JSON_TYPE, matchesEtag, mergeHeaders } from './response-headers.js'

/** The bytes of a response, and the headers that describe them. */
export interface ResponseBody {
  bytes: Uint8Array<ArrayBuffer>
  headers: Record<string, string>
}

/** A large file as a response: streamed from the disk, so that a client that reads slowly costs no memory. */
export interface StreamedBody {
  image: StoredImage
  headers: Record<string, string>
}

/** Offsets of the first and last byte, both inclusive. */
interface ByteRange {
  start: number
  end: number
}

/** Smaller files are read at once, which costs less than a stream. */
const MAX_BUFFERED_BYTES = 256 * 1024

/** Of the bits of a parsed header's `code`; another one is of ranges outside the body. */
const INVALID_RANGE = 1

/** A body of UTF-8 text, with an etag of its content. */
export function textBody(text: string, type: string, headers?: Record<string, string>): ResponseBody {
  const bytes = new TextEncoder().encode(text)
  return { bytes, headers: contentHeaders(bytes, type, headers) }
}

export const jsonBody = (value: unknown): ResponseBody => textBody(JSON.stringify(value), JSON_TYPE)

/**
 * The body of a stored file.
 *
 * @returns  `undefined` when the file is lost.
 */
export async function fileBody(
  file: ImageName,
  images: ImageStore,
  headersFor: (size: number) => Record<string, string>,
): Promise<ResponseBody | StreamedBody | undefined> {
  const image = await images.openImage(file)
  if (!image) return undefined
  const headers = headersFor(image.size)
  if (image.size > MAX_BUFFERED_BYTES) return { image, headers }
  const bytes = await images.readImage(file)
  return bytes && { bytes: bytes as Uint8Array<ArrayBuffer>, headers }
}

/**
 * The response to a request with a body: 200 with all of it, 206 with the requested range, or 304 without it.
 *
 * @param extraHeaders  In addition to the headers of the body.
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

const contentOf = (body: ResponseBody | StreamedBody, { start, end }: ByteRange) =>
  'bytes' in body ? body.bytes.subarray(start, end + 1) : body.image.stream({ start, end })

/** `undefined` if the whole body has to be sent, for example because it has changed since the first range. */
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

/**
 * Parses a `range` header for a body of `size` bytes.
 *
 * @returns  `undefined` for several ranges, and for ranges that are invalid or outside the body: the whole body is sent then,
 *           as HTTP allows.
 * @see      https://www.rfc-editor.org/rfc/rfc9110#section-14.2
 */
export function parseByteRange(header: string | null, size: number): ByteRange | undefined {
  if (header === null) return undefined
  const { code, type, ranges } = parseRanges(size, header)
  return (code & INVALID_RANGE) === 0 && type === 'bytes' && ranges.length === 1 ? ranges[0] : undefined
}

/**
 * The JSON response to a failed request; anything but a `PageError` becomes `EFATAL`, without its details.
 *
 * @param requestId  Part of the message of `EFATAL`, so that the operator can find the error in the log.
 * @param base       URL of the service, without trailing slash.
 */
export function errorResponse(thrown: unknown, { requestId, base }: { requestId: string; base: string }): Response {
  const error = isPageError(thrown) ? thrown : new PageError('EFATAL', 'An unexpected error occurred in the service.')
  const message =
    error.code === 'EFATAL'
      ? `${error.message} Its operator can find the cause in the log by the request ID ${requestId}.`
      : error.message
  const body = JSON.stringify({ ...errorBody(error, base), message })
  return new Response(body, { status: error.status, headers: errorHeaders(error) })
}

/** The error for a path that is not a route of the service. */
export const notFoundError = (path: string) =>
  new PageError('ENOTFOUND', `The service has nothing at ${path}; request previews at /?url=….`)
