import { PageError } from '../../../query/index.js'
import { noMemoryError } from '../../budget/index.js'
import { withTimeout } from '../../jobs/index.js'
import { SUPPORTED_ENCODINGS } from './decode-body.js'
import { timeoutError, toFetchError, unreachableError } from './fetch-error.js'
import { followRedirects, type FetchParts } from './follow-redirects.js'
import { readBody } from './read-body.js'
import { StatusError, tryTwice, type AssertLasting } from './retry.js'

/** The status, headers and final URL of a file, before its body is read. */
export interface FileResponse {
  /** The final URL, after redirects. */
  url: string
  statusCode: number
  /** The unparsed header; `''` when it is missing. */
  contentType: string
}

export interface FetchFileOptions extends FetchParts {
  /** The `accept` request header. */
  accept: string
  maxBytes: number
  /** Called before the body is read; rejects the file by throwing a `PageError`. */
  checkResponse: (response: FileResponse) => void
}

const TIMEOUT_MS = 10_000

/**
 * Fetches a whole file within 10 seconds; the guard checks every redirect. What fails in passing is tried a second time.
 *
 * @throws  {PageError} the error of `checkResponse`, `EFORBIDDENURL`, `EINVALURL`, `EMAXREDIRECTS`, `EUNREACHABLE`, `ETIMEOUT`,
 *          `ETOOLARGE`, `EBUSY` when no memory is free. An aborted `signal` throws its own reason.
 */
export function fetchFile(url: string, { signal, ...options }: FetchFileOptions): Promise<Buffer> {
  const fetchTwice = (signal: AbortSignal) =>
    tryTwice((assertLasting) => fetchBytes(url, { signal, ...options }, assertLasting), signal)
  return withTimeout(fetchTwice, {
    signal,
    timeoutMs: TIMEOUT_MS,
    timeoutError: () => (options.memory?.hasWaited() ? noMemoryError() : timeoutError(new URL(url).host)),
  })
}

async function fetchBytes(
  url: string,
  { accept, maxBytes, checkResponse, ...parts }: FetchFileOptions,
  assertLasting: AssertLasting,
): Promise<Buffer> {
  const { signal, memory } = parts
  const requestHeaders = { accept, 'accept-encoding': SUPPORTED_ENCODINGS }
  const response = await followRedirects(url, { ...parts, headers: requestHeaders })
  const { statusCode, headers, body } = response
  assertLasting(response)
  try {
    checkResponse({ url: response.url, statusCode, contentType: String(headers['content-type'] ?? '') })
    const { bytes, isComplete } = await readBody(response, { maxBytes, memory, signal })
    if (!isComplete) throw tooLarge(url, maxBytes)
    return bytes
  } catch (cause) {
    signal.throwIfAborted()
    throw toFetchError(cause, url)
  } finally {
    body.destroy()
  }
}

function tooLarge(url: string, maxBytes: number): PageError {
  const reason = `it is larger than ${maxBytes / 1_000_000} MB`
  return new PageError('ETOOLARGE', `${new URL(url).host} could not be read: ${reason}. Use a smaller file.`, {
    data: { url: reason },
  })
}

const MAX_IMAGE_BYTES = 10_000_000

/**
 * Fetches one image.
 *
 * @param maxBytes  Default: 10 MB.
 * @returns  Its bytes. Only the content type has been checked, not whether they can be decoded.
 * @throws   {PageError} as `fetchFile` does.
 */
export function fetchImage(
  url: string,
  { maxBytes = MAX_IMAGE_BYTES, ...parts }: FetchParts & { maxBytes?: number },
): Promise<Uint8Array> {
  return fetchFile(url, {
    ...parts,
    maxBytes,
    accept: 'image/avif,image/webp,image/png,image/jpeg,image/*;q=0.8',
    checkResponse(response) {
      checkStatus('The image', response)
      if (!/^image\//i.test(response.contentType))
        throw unreachableError('The image', `the response of ${new URL(response.url).host} is not an image`)
    },
  })
}

/** A document that a page shows or links to, as it was received. */
export interface LinkedDocument {
  /** The final URL, after redirects. */
  url: string
  bytes: Uint8Array
  /** The unparsed header; `''` when it is missing. */
  contentType: string
}

/**
 * Fetches the start of an HTML document. What fails in passing is tried a second time.
 *
 * @returns  At most 256 kB; `undefined` for other media types.
 * @throws   {PageError} as `followRedirects` does; `EUNREACHABLE` for a status other than 200.
 */
export function fetchDocument(url: string, parts: FetchParts): Promise<LinkedDocument | undefined> {
  const requestHeaders = { accept: 'text/html,application/xhtml+xml,*/*;q=0.5', 'accept-encoding': SUPPORTED_ENCODINGS }
  const fetchStart = async (assertLasting: AssertLasting) => {
    const response = await followRedirects(url, { ...parts, headers: requestHeaders })
    const { statusCode, headers, body } = response
    assertLasting(response)
    try {
      checkStatus('The document', { url: response.url, statusCode })
      const contentType = String(headers['content-type'] ?? '')
      if (contentType && !/html/i.test(contentType)) return undefined
      const { bytes } = await readBody(response, { maxBytes: MAX_TEXT_BYTES, signal: parts.signal })
      return { url: response.url, bytes, contentType }
    } finally {
      body.destroy()
    }
  }
  return tryTwice(fetchStart, parts.signal)
}

const MAX_TEXT_BYTES = 256_000

/**
 * Fetches a small document that a page links to, in UTF-8. What fails in passing is tried a second time.
 *
 * @throws   {PageError} as `fetchFile` does.
 */
export async function fetchText(url: string, parts: FetchParts): Promise<string> {
  const bytes = await fetchFile(url, {
    ...parts,
    maxBytes: MAX_TEXT_BYTES,
    accept: 'application/json,application/manifest+json,text/xml;q=0.9,*/*;q=0.5',
    checkResponse: (response) => checkStatus('The document', response),
  })
  return bytes.toString('utf8').replace(/^\uFEFF/, '')
}

function checkStatus(subject: string, { url, statusCode }: Pick<FileResponse, 'url' | 'statusCode'>): void {
  if (statusCode === 200) return
  const reason = `${new URL(url).host} responds with status ${statusCode}`
  throw unreachableError(subject, reason, new StatusError(statusCode))
}
