import type { Dispatcher } from 'undici'
import { PageError } from '../../query/index.js'
import type { Guard } from '../network/index.js'
import { describeFailure, tooSlow, unreachable } from './describe-failure.js'
import { followRedirects } from './follow-redirects.js'
import { readableEncodings, readBytes } from './read-bytes.js'
import { withDeadline } from './with-deadline.js'

export interface FetchImageOptions {
  guard: Guard
  dispatcher: Dispatcher
  signal: AbortSignal
  /** Default: 10 MB. */
  maxBytes?: number
}

const IMAGE_TIMEOUT_MS = 10_000
const MAX_IMAGE_BYTES = 10_000_000

const REQUEST_HEADERS = {
  'user-agent': 'Mozilla/5.0 (compatible; PagePreview/1.0)',
  accept: 'image/avif,image/webp,image/png,image/jpeg,image/*;q=0.8',
  'accept-encoding': readableEncodings,
}

/**
 * Fetches one image, with all its redirects under the guard, within 10 seconds.
 *
 * @returns  Its bytes; only the header says so far that they are an image.
 * @throws   {PageError} `EFORBIDDENURL`, `EINVALURL`, `EMAXREDIRECTS`, `EUNREACHABLE`, `ETIMEOUT`, `ETOOLARGE`. An aborted `signal`
 *           throws its own reason.
 */
export function fetchImage(
  url: string,
  { guard, dispatcher, signal, maxBytes = MAX_IMAGE_BYTES }: FetchImageOptions,
): Promise<Uint8Array> {
  const { host } = new URL(url)
  const fetchInTime = async (signal: AbortSignal) => {
    const { statusCode, headers, body } = await followRedirects(url, {
      guard,
      dispatcher,
      signal,
      headers: REQUEST_HEADERS,
    })
    try {
      if (statusCode !== 200) throw unreachable('The image', `${host} answers with status ${statusCode}`)
      if (!/^image\//i.test(String(headers['content-type'] ?? '')))
        throw unreachable('The image', `what ${host} gives is no image`)
      const encoding = headers['content-encoding']?.toString()
      const { bytes, isWhole } = await readBytes(body, { encoding, maxBytes, signal })
      if (!isWhole) throw tooLarge(host, maxBytes)
      return bytes
    } catch (cause) {
      signal.throwIfAborted()
      throw describeFailure(cause, url)
    } finally {
      body.destroy()
    }
  }
  return withDeadline(fetchInTime, { signal, ms: IMAGE_TIMEOUT_MS, late: () => tooSlow(host) })
}

function tooLarge(host: string, maxBytes: number): PageError {
  const reason = `the image is larger than ${maxBytes / 1_000_000} MB`
  return new PageError('ETOOLARGE', `${host} could not be read: ${reason}. Give a smaller one.`)
}
