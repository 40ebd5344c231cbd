import type { Dispatcher } from 'undici'
import { PageError } from '../../query/index.js'
import type { Guard } from '../network/index.js'
import { decodeHtml } from './decode-html.js'
import { describeFailure, tooSlow } from './describe-failure.js'
import { followRedirects, type Arrival } from './follow-redirects.js'
import { readableEncodings, readBytes } from './read-bytes.js'
import { withDeadline } from './with-deadline.js'

export interface FetchedPage {
  /** Where the redirects ended. */
  url: string
  statusCode: number
  /** Lower case, without `set-cookie`; what came several times is joined by commas. */
  headers: Record<string, string>
  /** Each hop that led on, with its own status. */
  redirects: { statusCode: number; url: string }[]
  /** Media type without parameters, lower case; `''` when unknown. */
  contentType: string
  /** Decoded; `''` when the target is not HTML. */
  html: string
}

export interface FetchOptions {
  guard: Guard
  dispatcher: Dispatcher
  /** Sent to the target's own origin only, never across origins on a redirect. */
  headers?: Readonly<Record<string, string>> | undefined
  signal: AbortSignal
}

const PAGE_TIMEOUT_MS = 10_000
const MAX_PAGE_BYTES = 8_000_000

const REQUEST_HEADERS = {
  'user-agent': 'Mozilla/5.0 (compatible; PagePreview/1.0)',
  accept: 'text/html,application/xhtml+xml,image/avif,image/webp,*/*;q=0.8',
  'accept-language': 'en-US,en;q=0.9',
  'accept-encoding': readableEncodings,
}

/**
 * Fetches one page, following at most 10 redirects, within 10 seconds. A page that comes with 404 or 500 is a page. Of what is
 * not HTML only the headers are read.
 *
 * @param url  Absolute, http or https.
 * @throws     {PageError} `EFORBIDDENURL`, `EINVALURL`, `EMAXREDIRECTS`, `EUNREACHABLE`, `ETIMEOUT`; `ETOOLARGE` for HTML over
 *             8 MB, decompressed. An aborted `signal` throws its own reason.
 */
export function fetchPage(url: string, { guard, dispatcher, headers, signal }: FetchOptions): Promise<FetchedPage> {
  const fetchInTime = async (signal: AbortSignal) => {
    const arrival = await followRedirects(url, {
      guard,
      dispatcher,
      signal,
      headers: REQUEST_HEADERS,
      ownHeaders: headers,
    })
    return { arrival, ...(await readHtml(arrival, signal)) }
  }
  const late = () => tooSlow(new URL(url).host)
  return withDeadline(fetchInTime, { signal, ms: PAGE_TIMEOUT_MS, late }).then(({ arrival, contentType, html }) => ({
    url: arrival.url,
    statusCode: arrival.statusCode,
    headers: plainHeaders(arrival.headers),
    redirects: arrival.redirects,
    contentType,
    html,
  }))
}

async function readHtml({ url, headers, body }: Arrival, signal: AbortSignal) {
  const header = String(headers['content-type'] ?? '')
  const contentType = header.split(';', 1).join().trim().toLowerCase()
  if (contentType && !/^(text\/html|application\/xhtml\+xml)$/.test(contentType)) {
    body.destroy()
    return { contentType, html: '' }
  }
  try {
    const encoding = headers['content-encoding']?.toString()
    const { bytes, isWhole } = await readBytes(body, { encoding, maxBytes: MAX_PAGE_BYTES, signal })
    if (!isWhole) throw tooLarge(url)
    const html = contentType || looksLikeHtml(bytes) ? decodeHtml(bytes, header) : ''
    return { contentType: contentType || (html && 'text/html'), html }
  } catch (cause) {
    signal.throwIfAborted()
    throw describeFailure(cause, url)
  } finally {
    body.destroy()
  }
}

const looksLikeHtml = (bytes: Buffer) =>
  /^[\s\uFEFF]*<(!doctype|!--|html|head|body|title|meta)/i.test(bytes.toString('utf8', 0, 512))

function plainHeaders(headers: Arrival['headers']): Record<string, string> {
  const entries = Object.entries(headers).filter(([name, value]) => name !== 'set-cookie' && value !== undefined)
  return Object.fromEntries(entries.map(([name, value]) => [name, [value].flat().join(', ')]))
}

function tooLarge(url: string): PageError {
  const reason = `the page is larger than ${MAX_PAGE_BYTES / 1_000_000} MB`
  return new PageError('ETOOLARGE', `${new URL(url).host} could not be read: ${reason}. Give a smaller page.`, {
    data: { url: reason },
  })
}
