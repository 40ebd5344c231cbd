import { PageError } from '../../../query/index.js'
import { busyError } from '../../budget/index.js'
import type { FetchContext } from './fetch-context.js'
import { timeoutError, toFetchError } from './fetch-error.js'
import { followRedirects } from './follow-redirects.js'
import { readBody, SUPPORTED_ENCODINGS } from './read-body.js'
import { USER_AGENT } from './user-agent.js'
import { withTimeout } from '../../jobs/index.js'

/** The status, headers and final URL of a file, before its body is read. */
export interface FileResponse {
  /** The final URL, after redirects. */
  url: string
  statusCode: number
  /** The unparsed header; `''` when it is missing. */
  contentType: string
}

export interface FetchFileOptions extends FetchContext {
  /** The `accept` request header. */
  accept: string
  maxBytes: number
  /** Called before the body is read; rejects the file by throwing a `PageError`. */
  checkResponse: (response: FileResponse) => void
}

const TIMEOUT_MS = 10_000

/**
 * Fetches a whole file within 10 seconds; the guard checks every redirect.
 *
 * @throws  {PageError} the error of `checkResponse`, `EFORBIDDENURL`, `EINVALURL`, `EMAXREDIRECTS`, `EUNREACHABLE`, `ETIMEOUT`,
 *          `ETOOLARGE`, `EBUSY` when no memory is free. An aborted `signal` throws its own reason.
 */
export function fetchFile(url: string, { signal, ...options }: FetchFileOptions): Promise<Buffer> {
  return withTimeout((signal) => fetchBytes(url, { signal, ...options }), {
    signal,
    timeoutMs: TIMEOUT_MS,
    timeoutError: () => (options.memory?.hasWaited() ? busyError() : timeoutError(new URL(url).host)),
  })
}

async function fetchBytes(
  url: string,
  { accept, maxBytes, checkResponse, ...context }: FetchFileOptions,
): Promise<Buffer> {
  const { signal } = context
  const requestHeaders = { 'user-agent': USER_AGENT, accept, 'accept-encoding': SUPPORTED_ENCODINGS }
  const response = await followRedirects(url, { ...context, headers: requestHeaders })
  const { statusCode, headers, body } = response
  try {
    checkResponse({ url: response.url, statusCode, contentType: String(headers['content-type'] ?? '') })
    const encoding = headers['content-encoding']?.toString()
    const contentLength = headers['content-length']?.toString()
    const { memory } = context
    const { bytes, isComplete } = await readBody(body, { encoding, contentLength, maxBytes, memory, signal })
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
