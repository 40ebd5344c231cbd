import { PageError } from '../../../query/index.js'
import { noMemoryError } from '../../budget/index.js'
import { MAX_HTML_CHARS } from '../document/metadata-sources.js'
import {
  type FetchParts,
  timeoutError,
  toFetchError,
  followRedirects,
  type FinalResponse,
  USER_AGENT,
} from './follow-redirects.js'
import { parseContentType } from '../media-type.js'
import { fileKind, looksLikePdf } from '../file-kind.js'
import { fileName } from '../file-name.js'
import { type FetchedFile, readFile } from './read-file.js'
import { readBody, SUPPORTED_ENCODINGS } from './read-body.js'
import { withTimeout } from '../../jobs/index.js'

export interface FetchedPage {
  /** The final URL, after redirects. */
  url: string
  statusCode: number
  /** Lower-case names, without `set-cookie`; repeated headers are joined with commas. */
  headers: Record<string, string>
  /** The hops that redirected, each with its own status. */
  redirects: { statusCode: number; url: string }[]
  /** Media type without parameters, lower case; `''` when unknown. */
  contentType: string
  /** The first 4 MB of the HTML as received, decompressed; `undefined` when the target is not HTML. */
  html: Uint8Array | undefined
  /** The target, if it is no HTML, and of a kind that the service reads. */
  file?: FetchedFile | undefined
}

export interface FetchPageOptions extends FetchParts {
  /** Sent to the target's own origin only, never across origins on a redirect. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Languages for `accept-language`, the preferred one first. Default: English. */
  languages?: readonly string[] | undefined
}

const PAGE_TIMEOUT_MS = 10_000
const MAX_PAGE_BYTES = 8_000_000
/** No charset needs more than 4 bytes for a character. */
const MAX_BUFFERED_BYTES = 4 * MAX_HTML_CHARS

const REQUEST_HEADERS = {
  'user-agent': USER_AGENT,
  accept: 'text/html,application/xhtml+xml,image/avif,image/webp,*/*;q=0.8',
  'accept-encoding': SUPPORTED_ENCODINGS,
}

/**
 * Fetches one page, following at most 10 redirects, within 10 seconds. An HTML page served with 404 or 500 is returned like any
 * other. The body of a target that is not HTML is read only if it is a PDF or text.
 *
 * @param url  Absolute, http or https.
 * @throws     {PageError} `EFORBIDDENURL`, `EINVALURL`, `EMAXREDIRECTS`, `EUNREACHABLE`, `ETIMEOUT`; `ETOOLARGE` for HTML over
 *             8 MB, decompressed; `EBUSY` when no memory is free. An aborted `signal` throws its own reason.
 */
export async function fetchPage(
  url: string,
  { signal, headers, languages = ['en-US', 'en'], ...parts }: FetchPageOptions,
): Promise<FetchedPage> {
  const requestHeaders = { ...REQUEST_HEADERS, 'accept-language': acceptLanguage(languages) }
  const fetchHtml = async (signal: AbortSignal) => {
    const request = { ...parts, signal, headers: requestHeaders, originHeaders: headers }
    const response = await followRedirects(url, request)
    return { response, ...(await readHtml(response, { signal, memory: parts.memory })) }
  }
  const { response, contentType, html, file } = await withTimeout(fetchHtml, {
    signal,
    timeoutMs: PAGE_TIMEOUT_MS,
    timeoutError: () => (parts.memory?.hasWaited() ? noMemoryError() : timeoutError(new URL(url).host)),
  })
  return {
    url: response.url,
    statusCode: response.statusCode,
    headers: publicHeaders(response.headers),
    redirects: response.redirects,
    contentType,
    html,
    file,
  }
}

/** The languages in order of preference: `de-AT,de;q=0.9`. */
const acceptLanguage = ([preferred, ...others]: readonly string[]) =>
  [preferred, ...others.map((language, index) => `${language};q=${0.9 - index / 10}`)].join()

async function readHtml(response: FinalResponse, { signal, memory }: Pick<FetchParts, 'signal' | 'memory'>) {
  const { url, headers, body } = response
  const contentType = parseContentType(headers['content-type'])
  try {
    if (contentType && !/^(text\/html|application\/xhtml\+xml)$/.test(contentType)) {
      const kind = fileKind(contentType, fileName(url, publicHeaders(headers)))
      return { contentType, html: undefined, file: kind && (await readFile(response, { kind, memory, signal })) }
    }
    const encoding = headers['content-encoding']?.toString()
    const contentLength = headers['content-length']?.toString()
    const limits = { maxBytes: MAX_PAGE_BYTES, maxBufferedBytes: MAX_BUFFERED_BYTES, memory, signal }
    const { bytes, isComplete } = await readBody(body, { encoding, contentLength, ...limits })
    if (!isComplete) throw tooLarge(url)
    const isPdf = contentType === '' && looksLikePdf(bytes)
    if (isPdf) return { contentType: 'application/pdf', html: undefined, file: { kind: 'pdf' as const, bytes } }
    const isHtml = contentType !== '' || looksLikeHtml(bytes)
    // A copy, because a small buffer shares its memory with the buffers of other pages, and a worker would get them all.
    return isHtml
      ? { contentType: contentType || 'text/html', html: new Uint8Array(withoutSplitCharacter(bytes)) }
      : { contentType: '', html: undefined }
  } catch (cause) {
    signal.throwIfAborted()
    throw toFetchError(cause, url)
  } finally {
    body.destroy()
  }
}

/** If the rest was dropped, the start must still be valid UTF-8. */
function withoutSplitCharacter(bytes: Buffer): Buffer {
  if (bytes.length < MAX_BUFFERED_BYTES) return bytes
  let end = bytes.length - 1
  // Continuation bytes of UTF-8; at most three follow the first byte of a character.
  while (end > bytes.length - 4 && (bytes[end]! & 0xc0) === 0x80) end--
  return bytes.subarray(0, end)
}

const looksLikeHtml = (bytes: Buffer) =>
  /^[\s\uFEFF]*<(!doctype|!--|html|head|body|title|meta)/i.test(bytes.toString('utf8', 0, 512))

function publicHeaders(headers: FinalResponse['headers']): Record<string, string> {
  const entries = Object.entries(headers).filter(([name, value]) => name !== 'set-cookie' && value !== undefined)
  return Object.fromEntries(entries.map(([name, value]) => [name, [value].flat().join(', ')]))
}

function tooLarge(url: string): PageError {
  const reason = `the page is larger than ${MAX_PAGE_BYTES / 1_000_000} MB`
  return new PageError('ETOOLARGE', `${new URL(url).host} could not be read: ${reason}. Request a smaller page.`, {
    data: { url: reason },
  })
}

/** The characters that HTTP allows in a value: https://www.rfc-editor.org/rfc/rfc9110#section-5.5 */
const LATIN_1 = /^[ -~\xa0-\xff]*$/

/**
 * Checks that the headers can be sent to a page unchanged.
 *
 * @throws  {PageError} `EHEADERS`, naming the header.
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    // undici does not support the interim response that `expect` requests.
    if (name === 'expect') throw headerError(name, 'may not be sent')
    if (!LATIN_1.test(value))
      throw headerError(name, 'contains characters that are not allowed in a header; encode them')
  }
}

const headerError = (name: string, reason: string) =>
  new PageError('EHEADERS', `headers.${name} ${reason}.`, { data: { [`headers.${name}`]: reason } })
