import type { Dispatcher } from 'undici'
import { PageError } from '../../query/index.js'
import type { Guard } from '../network/index.js'
import { describeFailure, tooSlow } from './describe-failure.js'
import { followRedirects } from './follow-redirects.js'
import { readableEncodings, readBytes } from './read-bytes.js'
import { withDeadline } from './with-deadline.js'

/** What an answer says of its file, before any byte of it is read. */
export interface FileHead {
  /** Where the redirects ended. */
  url: string
  statusCode: number
  /** As the server said it; `''` when it did not. */
  contentType: string
}

export interface FetchFileOptions {
  guard: Guard
  dispatcher: Dispatcher
  signal: AbortSignal
  /** The request header of that name. */
  accept: string
  maxBytes: number
  /** Asked before the body is read; refuses by throwing a `PageError`. */
  admit: (head: FileHead) => void
}

const TIMEOUT_MS = 10_000

/**
 * Fetches one file whole, with all its redirects under the guard, within 10 seconds.
 *
 * @throws  {PageError} what `admit` throws, `EFORBIDDENURL`, `EINVALURL`, `EMAXREDIRECTS`, `EUNREACHABLE`, `ETIMEOUT`, `ETOOLARGE`.
 *          An aborted `signal` throws its own reason.
 */
export function fetchFile(url: string, { signal, ...options }: FetchFileOptions): Promise<Buffer> {
  const late = () => tooSlow(new URL(url).host)
  return withDeadline((either) => fetchInTime(url, { signal: either, ...options }), { signal, ms: TIMEOUT_MS, late })
}

async function fetchInTime(
  url: string,
  { guard, dispatcher, signal, accept, maxBytes, admit }: FetchFileOptions,
): Promise<Buffer> {
  const headers = {
    'user-agent': 'Mozilla/5.0 (compatible; PagePreview/1.0)',
    accept,
    'accept-encoding': readableEncodings,
  }
  const arrival = await followRedirects(url, { guard, dispatcher, signal, headers })
  const { statusCode, body } = arrival
  try {
    admit({ url: arrival.url, statusCode, contentType: String(arrival.headers['content-type'] ?? '') })
    const encoding = arrival.headers['content-encoding']?.toString()
    const { bytes, isWhole } = await readBytes(body, { encoding, maxBytes, signal })
    if (!isWhole) throw tooLarge(url, maxBytes)
    return bytes
  } catch (cause) {
    signal.throwIfAborted()
    throw describeFailure(cause, url)
  } finally {
    body.destroy()
  }
}

function tooLarge(url: string, maxBytes: number): PageError {
  const reason = `it is larger than ${maxBytes / 1_000_000} MB`
  return new PageError('ETOOLARGE', `${new URL(url).host} could not be read: ${reason}. Give a smaller one.`, {
    data: { url: reason },
  })
}
