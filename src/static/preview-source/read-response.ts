import { errorCauses } from '../../query/help/index.js'
import { errorCodes, isPageError, PageError, type ErrorCode, type PageResponse } from '../../query/index.js'
import type { SourceImage, SourcePage } from './preview-source.js'

const MAX_RESULT_BYTES = 5_000_000

/**
 * Reads the result of a page.
 *
 * @param warnings  Those of the query itself.
 * @throws          {PageError} `EFATALCLIENT` for another response than a service's, `ETOOLARGE`.
 */
export async function readPageResponse(response: Response, warnings: readonly string[]): Promise<SourcePage> {
  const body = parse(new TextDecoder().decode(await readResponseBody(response, MAX_RESULT_BYTES)))
  if (!isPageResponse(body)) throw unexpectedResponseError(response.status)
  return {
    data: body.data,
    statusCode: body.statusCode,
    redirects: Array.isArray(body.redirects) ? body.redirects : [],
    producedAt: Number(response.headers.get('x-timestamp')) || Date.now(),
    cacheStatus: response.headers.get('x-cache-status') ?? 'MISS',
    warnings: [...new Set([...warnings, ...(Array.isArray(body.warnings) ? body.warnings.map(String) : [])])],
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const isPageResponse = (body: unknown): body is PageResponse =>
  isObject(body) && body.status === 'success' && isObject(body.data)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Larger than every image that a service delivers. */
export const MAX_IMAGE_BYTES = 40_000_000

/**
 * Reads an embedded image. Its bytes decide on its type, because the file is named by it and may be opened by itself: SVG and
 * HTML would be documents, whose scripts run in the origin of the site that has the file.
 *
 * @throws  {PageError} `ENOEMBED` when the response is not an image, or one of another type such as SVG; `ETOOLARGE`.
 */
export async function readImage(response: Response): Promise<SourceImage> {
  const isImage = response.headers.get('content-type')?.trim().toLowerCase().startsWith('image/')
  if (!isImage || response.headers.has('x-image-source')) {
    await response.body?.cancel()
    throw new PageError('ENOEMBED', 'The result has no such image.', { data: { embed: 'missing' } })
  }
  const bytes = await readResponseBody(response, MAX_IMAGE_BYTES)
  const type = await detectType(bytes)
  if (!type)
    throw new PageError('ENOEMBED', 'The image is an SVG, or of another type that is not written to files.', {
      data: { embed: 'of another type' },
    })
  return { bytes, type, width: pixels(response, 'x-image-width'), height: pixels(response, 'x-image-height') }
}

async function detectType(bytes: Uint8Array): Promise<SourceImage['type'] | undefined> {
  // Loaded when it is needed, as the service in this process is.
  const { detectImageFormat } = await import('../../server/images/index.js')
  const start = Buffer.from(bytes.subarray(0, 4)).toString('latin1')
  if (start === '\0\0\x01\0') return 'ico'
  return start.startsWith('BM') ? 'bmp' : detectImageFormat(bytes)
}

const pixels = (response: Response, header: string): number | undefined =>
  Number(response.headers.get(header)) || undefined

const MAX_ERROR_BYTES = 100_000
const MAX_MESSAGE_CHARS = 500

/** The error that a response with another status than 2xx states; `EFATALCLIENT` when it is none of a service's. */
export async function readError(response: Response): Promise<PageError> {
  const details = { status: response.status, retryAfterMs: retryAfterMs(response.headers) }
  const body = await readJson(response)
  const { code, message, data } = body
  if (!isErrorCode(code)) return unexpectedResponseError(response.status, details)
  return new PageError(code, String(message).slice(0, MAX_MESSAGE_CHARS), { ...details, data: reasonsIn(data) })
}

/** The error of a response that does not come from a preview service. */
const unexpectedResponseError = (status: number, details = {}) =>
  new PageError(
    'EFATALCLIENT',
    `The response (HTTP ${status}) is not from a preview service. Check the URL of the service.`,
    {
      status,
      ...details,
    },
  )

async function readJson(response: Response): Promise<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(await readResponseBody(response, MAX_ERROR_BYTES)))
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(errorCodes, code)

function reasonsIn(data: unknown): Record<string, string> {
  const entries = typeof data === 'object' && data !== null ? Object.entries(data) : []
  return Object.fromEntries(entries.map(([name, reason]) => [name, String(reason)]))
}

/** Seconds or a date: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3 */
function retryAfterMs(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (!text) return undefined
  const delayMs = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isFinite(delayMs) ? Math.max(0, delayMs) : undefined
}

/** Whether an error concerns the service, or the access to it, rather than the page that was requested. */
export const isServiceFailure = (error: unknown): boolean =>
  !isPageError(error) || errorCauses[error.code] === 'service'

/**
 * Reads the bytes of a response.
 *
 * @throws  {PageError} `ETOOLARGE` beyond `maxBytes`; the rest is not read.
 */
export async function readResponseBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > maxBytes)
      throw new PageError('ETOOLARGE', `The response of the service is larger than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
