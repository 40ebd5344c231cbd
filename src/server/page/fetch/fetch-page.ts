import prettyBytes from 'pretty-bytes'
import { isPageError, PageError } from '../../../query/index.js'
import { noMemoryError } from '../../budget/index.js'
import { detectImageFormat } from '../../images/index.js'
import { withTimeout } from '../../jobs/index.js'
import type { Explainer } from '../../explainer.js'
import { isSloppyResponseError } from '../../network/index.js'
import { MAX_HTML_CHARS } from '../document/metadata-sources.js'
import { fileName } from '../file-name.js'
import { fileKind, isDisplayed, isHtml, isUnknownType, looksLikePdf, parseContentType } from '../media-type.js'
import { compactHtml } from './compact-html.js'
import { SUPPORTED_ENCODINGS } from './decode-body.js'
import { timeoutError, toFetchError } from './fetch-error.js'
import { findRefresh } from './find-refresh.js'
import {
  addRedirect,
  followRedirects,
  startChain,
  type FetchParts,
  type FinalResponse,
  type HopResponse,
  type RedirectChain,
} from './follow-redirects.js'
import { readBody, type BodyContent } from './read-body.js'
import { readFile, type FetchedFile } from './read-file.js'

export interface FetchedPage {
  /** The final URL, after redirects. */
  url: string
  statusCode: number
  /** Lower-case names, without `set-cookie`; repeated headers are joined with commas. Beyond 64 kB, headers are left out. */
  headers: Record<string, string>
  /** The hops that redirected, by their status or by a refresh, each with its own status. */
  redirects: { statusCode: number; url: string }[]
  /** Media type without parameters, lower case; `''` when unknown. */
  contentType: string
  /** The first 4 MB of the HTML as received, decompressed; `undefined` when the target is not HTML. A long page is compacted. */
  html: Uint8Array | undefined
  /** The target, if it is no HTML, and of a kind that the service reads. */
  file?: FetchedFile | undefined
  /** Whether the connection ended before the body did. */
  hasEndedEarly?: boolean
  /** Whether the connection ended before the page did, so that a later fetch may get more. */
  isCutOff: boolean
  /** Sentences about what is missing of the page. */
  warnings: string[]
}

export interface FetchPageOptions extends FetchParts {
  /** Sent to the target's own origin only, never across origins on a redirect. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Languages for `accept-language`, the preferred one first. Default: English. */
  languages?: readonly string[] | undefined
  /** Collects the requests. */
  explainer?: Explainer | undefined
}

const PAGE_TIMEOUT_MS = 10_000
/** What is left of the timeout for a page of which only a part has arrived. */
const RESERVED_MS = 500
const MAX_REFRESHES_TO_URL = 2
const MAX_PAGE_BYTES = 8_000_000
/** No charset needs more than 4 bytes for a character. */
const MAX_BUFFERED_BYTES = 4 * MAX_HTML_CHARS

const REQUEST_HEADERS = {
  accept: 'text/html,application/xhtml+xml,image/avif,image/webp,*/*;q=0.8',
  'accept-encoding': SUPPORTED_ENCODINGS,
}

/**
 * Fetches one page, following at most 10 redirects, within 10 seconds. A refresh after at most 5 seconds is a redirect too. An HTML page
 * served with 404 or 500 is returned like any other. The body of a target that is not HTML is read only
 * if it is a PDF or text.
 *
 * Of a page that is too long, too slow, or cut off, what has arrived is returned if its head has.
 *
 * @param url  Absolute, http or https.
 * @throws     {PageError} `EFORBIDDENURL`, `EINVALURL`, `EMAXREDIRECTS`, `EUNREACHABLE`, `ETIMEOUT`; `EBUSY` when no memory is
 *             free. An aborted `signal` throws its own reason.
 */
export async function fetchPage(
  url: string,
  { signal, headers, languages = ['en-US', 'en'], explainer, ...parts }: FetchPageOptions,
): Promise<FetchedPage> {
  const requestHeaders = { ...REQUEST_HEADERS, 'accept-language': acceptLanguage(languages) }
  const startedAt = performance.now()
  const fetchHop = async (hop: string, chain: RedirectChain, signal: AbortSignal): Promise<FetchedPage> => {
    const request = { ...parts, signal, headers: requestHeaders, originHeaders: headers, chain }
    const limits = { signal, memory: parts.memory, endsAt: startedAt + PAGE_TIMEOUT_MS - RESERVED_MS }
    const response = await followRedirects(hop, request)
    const page = await readResponse(response, limits).catch(async (error: unknown) => {
      if (!isPageError(error) || !isSloppyResponseError(error.cause)) throw error
      return readResponse(await followRedirects(response.url, { ...request, isSloppy: true }), limits)
    })
    explainer?.setBodySize(page.html?.length ?? page.file?.bytes?.length ?? 0, page.hasEndedEarly)
    return page
  }
  const chain = startChain(url, explainer && ((response) => explainer.addRequest(roundedTime(response))))
  return withTimeout((signal) => followRefreshes(chain, url, (hop) => fetchHop(hop, chain, signal)), {
    signal,
    timeoutMs: PAGE_TIMEOUT_MS,
    timeoutError: () => (parts.memory?.hasWaited() ? noMemoryError() : timeoutError(new URL(url).host)),
  })
}

const roundedTime = ({ durationMs, ...response }: HopResponse) => ({ ...response, durationMs: Math.round(durationMs) })

/** Fetches a page, and the page that it sends its visitors to. */
async function followRefreshes(
  chain: RedirectChain,
  url: string,
  fetchHop: (url: string) => Promise<FetchedPage>,
): Promise<FetchedPage> {
  // The same URL with the same cookies would be the same page again.
  const visitOf = (hop: URL) => `${hop.href.split('#', 1).join()} ${chain.cookies.header(hop)}`
  const visits = new Set([visitOf(new URL(url))])
  const counts = new Map<string, number>()
  let page = await fetchHop(url)
  for (;;) {
    const next = page.html && findRefresh(page, page.html)
    if (!next || visits.has(visitOf(next))) return page
    // A page that asks to wait may set another cookie each time.
    const count = (counts.get(next.href) ?? 0) + 1
    if (count > MAX_REFRESHES_TO_URL) return page
    counts.set(next.href, count)
    visits.add(visitOf(next))
    addRedirect(chain, { statusCode: page.statusCode, url: page.url }, next)
    const nextPage = await fetchHop(next.href)
    // A browser stays on the page while it downloads a file.
    if (!isDisplayed(nextPage)) return page
    page = nextPage
  }
}

/** The languages in order of preference: `de-AT,de;q=0.9`. */
const acceptLanguage = ([preferred, ...others]: readonly string[]) =>
  [preferred, ...others.map((language, index) => `${language};q=${0.9 - index / 10}`)].join()

async function readResponse(
  response: FinalResponse,
  { endsAt, ...limits }: Pick<FetchParts, 'signal' | 'memory'> & { endsAt: number },
): Promise<FetchedPage> {
  const { url, statusCode, headers, redirects, body } = response
  const contentType = parseContentType(headers['content-type'])
  const isUnknown = isUnknownType(contentType)
  const page = { url, statusCode, headers: publicHeaders(headers), redirects: [...redirects], isCutOff: false }
  try {
    if (!isUnknown && !isHtml(contentType)) {
      const kind = fileKind(contentType, fileName(url, page.headers))
      const file = kind && (await readFile(response, { kind, memory: limits.memory, signal: limits.signal }))
      return { ...page, contentType, html: undefined, file, warnings: [] }
    }
    const content = await readBody(response, {
      maxBytes: MAX_PAGE_BYTES,
      maxBufferedBytes: MAX_BUFFERED_BYTES,
      compact: compactHtml,
      acceptsPart: true,
      isWhole: hasHtmlEnd,
      timeoutMs: Math.max(0, endsAt - performance.now()),
      ...limits,
    })
    if (isUnknown && content.isComplete && looksLikePdf(content.bytes)) {
      const file = { kind: 'pdf' as const, bytes: new Uint8Array(content.bytes) }
      return { ...page, contentType: 'application/pdf', html: undefined, file, warnings: [] }
    }
    if (isUnknown && !looksLikeHtml(content.bytes)) {
      if (content.failure && !content.bytes.length) throw content.failure
      return { ...page, contentType: imageType(content.bytes), html: undefined, warnings: [] }
    }
    return { ...page, contentType: isUnknown ? 'text/html' : contentType, ...readHtml(content, url) }
  } catch (cause) {
    limits.signal.throwIfAborted()
    throw toFetchError(cause, url)
  } finally {
    body.destroy()
  }
}

/** @throws  The failure of the body, unless its head has arrived. */
function readHtml(
  { bytes, isComplete, failure }: BodyContent,
  url: string,
): Pick<FetchedPage, 'html' | 'hasEndedEarly' | 'isCutOff' | 'warnings'> {
  if (failure && !hasHead(bytes)) throw failure
  const isCutOff = failure !== undefined && !hasHtmlEnd(bytes.subarray(-MAX_END_BYTES))
  const whole = isComplete ? bytes : withoutSplitCharacter(bytes)
  const html = whole.length > MAX_HTML_CHARS ? whole.subarray(0, compactHtml(whole)) : whole
  const { host } = new URL(url)
  const warnings = isCutOff
    ? [`The page was not received completely; its metadata is from the first ${prettyBytes(bytes.length)} of it.`]
    : failure || isComplete
      ? []
      : [`The page of ${host} is longer than ${MAX_PAGE_BYTES / 1_000_000} MB; its metadata is from the start of it.`]
  // A copy, because a small buffer shares its memory with the buffers of other pages, and a worker would get them all.
  return { html: new Uint8Array(html), hasEndedEarly: failure !== undefined, isCutOff, warnings }
}

/** The media type of an image by its first bytes; `''` for anything else. */
function imageType(bytes: Uint8Array): string {
  const format = detectImageFormat(bytes)
  return format ? `image/${format === 'jpg' ? 'jpeg' : format}` : ''
}

const MAX_END_BYTES = 256

/** Comments may follow. */
const hasHtmlEnd = (end: Buffer) => /<\/html\s*>/i.test(end.toString('latin1'))

/** Whether the elements that state most of the metadata have arrived. */
const hasHead = (bytes: Buffer) => /<\/title\s*>|<\/head\s*>|<body[\s>]/i.test(bytes.toString('latin1'))

/** If the rest was dropped, the start must still be valid UTF-8. */
function withoutSplitCharacter(bytes: Buffer): Buffer {
  let start = bytes.length - 1
  // Continuation bytes of UTF-8; at most three follow the first byte of a character.
  while (start > bytes.length - 4 && (bytes[start]! & 0xc0) === 0x80) start--
  const first = bytes[start] ?? 0
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
  return start + length > bytes.length ? bytes.subarray(0, Math.max(0, start)) : bytes
}

/** https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type */
const HTML_START =
  /^[\s\uFEFF\0]*(<\?xml[^>]{0,200}>\s*)?<(!doctype html|!--|html|head|body|title|meta|script|style|link|iframe|div|h1|table|font|center|br|p|a|b)[\s>!/-]/i

const looksLikeHtml = (bytes: Buffer) => {
  const start = bytes.subarray(0, 1024)
  const isUtf16 = start[0] === 0xff && start[1] === 0xfe
  return HTML_START.test(isUtf16 ? start.toString('utf16le') : start.toString('utf8'))
}

const MAX_PUBLIC_HEADER_CHARS = 65_536

function publicHeaders(headers: FinalResponse['headers']): Record<string, string> {
  let chars = 0
  const entries = Object.entries(headers).flatMap(([name, values]) => {
    const value = [values ?? []].flat().join(', ')
    if (values === undefined || name === 'set-cookie') return []
    if (chars + name.length + value.length > MAX_PUBLIC_HEADER_CHARS) return []
    chars += name.length + value.length
    return [[name, value] as const]
  })
  return Object.fromEntries(entries)
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
