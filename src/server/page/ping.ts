import pLimit from 'p-limit'
import { isPageError } from '../../query/index.js'
import { withTimeout } from '../jobs/index.js'
import {
  fetchImage,
  fetchDocument,
  fetchText,
  type LinkedDocument,
  type PingParts,
  followRedirects,
  isPassingFailure,
  isPassingStatus,
  readBody,
  SlowBodyError,
  StatusError,
  tryTwice,
  type AssertLasting,
  type FetchParts,
  type FinalResponse,
} from './fetch/index.js'
import { type MediaKind, mediaKind, mediaType, parseContentType } from './media-type.js'
import { decodeImageUrl } from './data-url.js'
import { MAX_HEAD_BYTES, probeImage } from '../images/index.js'

/** Checks the URLs of one page within its limits; each URL is pinged once. */
export interface Pinger {
  ping(url: string, expected: MediaKind | 'page'): Promise<PingResult>
  /** The colours of an image that was pinged; `undefined` when it cannot be decoded. */
  palette(url: string, ping: VerifiedUrl): Promise<string[] | undefined>
  /** The text of a linked document; `undefined` when it is not publicly reachable, too long, or does not arrive in time. */
  fetchText(url: string): Promise<string | undefined>
  /** The start of an HTML document; `undefined` when it is not publicly reachable, or does not arrive in time. */
  fetchDocument(url: string): Promise<LinkedDocument | undefined>
  /** Whether a URL remained unchecked because the page has more URLs than are checked. */
  isIncomplete(): boolean
  /** Whether a check failed that may succeed soon. */
  isUnverified(): boolean
}

/**
 * What checking a URL found out: it leads to what is expected; it does not, and will not soon; or it is open, because its host was too slow
 * or had a passing failure.
 */
export type PingResult = VerifiedUrl | UnreachableUrl | UnverifiedUrl

/** What a reachable URL leads to; unknown sizes are `null`. */
export interface VerifiedUrl {
  verdict: 'verified'
  kind: MediaKind | undefined
  type: string | null
  /** Bytes. */
  size: number | null
  /** Pixels, after applying the orientation. */
  width: number | null
  height: number | null
  /** The complete image, if it fits into what a ping reads. */
  bytes?: Buffer
}

export interface UnreachableUrl {
  verdict: 'unreachable'
  /**
   * The end of a sentence that begins with the URL: `responded with status 404`. The same for every failure of the network, because
   * which one it is could say which private names exist.
   */
  reason: string
}

export interface UnverifiedUrl {
  verdict: 'unverified'
  /** The end of a sentence that begins with the host: `did not respond in time`. */
  reason: string
}

/**
 * URLs that are requested for one page; an image whose colours need another request counts twice. A check takes at most five requests,
 * besides redirects: a `HEAD`, and twice a `GET` with and without a range.
 */
const MAX_URLS = 20
const MAX_CONCURRENT_REQUESTS = 6
/** Images that are drawn on request take about 3 seconds when their server has been idle. */
const REQUEST_TIMEOUT_MS = 3_500
/** The start of a process included, which takes long on a busy machine. */
const PALETTE_TIMEOUT_MS = 4_000
const MAX_PALETTE_BYTES = 5_000_000

const unreachable = (reason: string): UnreachableUrl => ({ verdict: 'unreachable', reason })

/** @param parts  Aborting their `signal` ends all requests; their URLs then count as unverified. */
export function createPinger({ signal, images, client, ...parts }: PingParts): Pinger {
  const limit = pLimit(MAX_CONCURRENT_REQUESTS)
  let urlCount = 0
  let isIncomplete = false
  let isUnverified = false

  const inTime = <Result>(work: (signal: AbortSignal) => Promise<Result>, timeoutMs: number): Promise<Result> =>
    limit(() => withTimeout(work, { signal, timeoutMs, timeoutError: () => new LateError() }))
  const check = async (url: string, expected: MediaKind | 'page'): Promise<PingResult> => {
    if (url.startsWith('data:')) return inspectDataUrl(url)
    if (++urlCount > MAX_URLS) {
      isIncomplete = true
      return unreachable('was not checked, because the page names too many URLs')
    }
    const result = await inTime((signal) => pingUrl(url, expected, { ...parts, signal }), REQUEST_TIMEOUT_MS).catch(
      (error: unknown) => (signal.aborted ? LATE : verdictOf(error)),
    )
    isUnverified ||= result.verdict === 'unverified'
    return result
  }
  /** Requests what only improves a result. */
  const request = async <Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result | undefined> => {
    if (++urlCount > MAX_URLS) isIncomplete = true
    return urlCount > MAX_URLS ? undefined : inTime(work, REQUEST_TIMEOUT_MS)
  }
  const requestLinked = async <Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await request(work)
    } catch (error) {
      isUnverified ||= signal.aborted || verdictOf(error).verdict === 'unverified'
      return undefined
    }
  }

  const pings = new Map<string, Promise<PingResult>>()
  return {
    isIncomplete: () => isIncomplete,
    isUnverified: () => isUnverified,
    ping(url, expected) {
      // `#` belongs to the content of a `data:` URL that was written carelessly.
      const key = url.startsWith('data:') ? url : url.split('#', 1).join()
      const ping = pings.get(key) ?? check(url, expected)
      pings.set(key, ping)
      return ping
    },
    async palette(url, ping) {
      const fetchBytes = (signal: AbortSignal) => fetchImage(url, { ...parts, signal, maxBytes: MAX_PALETTE_BYTES })
      try {
        const bytes = ping.bytes ?? (await request(fetchBytes))
        return bytes && (await inTime((signal) => images.samplePalette(bytes, { client, signal }), PALETTE_TIMEOUT_MS))
      } catch {
        return undefined
      }
    },
    fetchText: (url) => requestLinked((signal) => fetchText(url, { ...parts, signal })),
    fetchDocument: (url) => requestLinked((signal) => fetchDocument(url, { ...parts, signal })),
  }
}

class LateError extends Error {}

const LATE: UnverifiedUrl = { verdict: 'unverified', reason: 'did not respond in time' }

/** Whether what a request threw says that its URL cannot be reached, or only not now. */
function verdictOf(error: unknown): PingResult {
  const cause = isPageError(error) ? error.cause : error
  const isLate = error instanceof LateError || cause instanceof SlowBodyError
  if (isLate || (isPageError(error) && error.code === 'ETIMEOUT')) return LATE
  if (cause instanceof StatusError && isPassingStatus(cause.statusCode))
    return { verdict: 'unverified', reason: `responded with status ${cause.statusCode}` }
  if (isPassingFailure(error)) return { verdict: 'unverified', reason: 'ended the connection' }
  return unreachable(
    cause instanceof StatusError ? `responded with status ${cause.statusCode}` : 'is not publicly reachable',
  )
}

const HEADERS = {
  accept: '*/*',
  'accept-encoding': 'identity',
}
const RANGE = { range: `bytes=0-${MAX_HEAD_BYTES - 1}` }

/**
 * Checks whether a URL is reachable, and what it leads to. For an image, one `GET` of the first 64 kB yields the dimensions too;
 * for anything else, a `HEAD` is enough, with a short `GET` if the server does not support `HEAD`. What fails in passing is tried a
 * second time.
 *
 * @throws   {PageError} as `followRedirects` does.
 */
async function pingUrl(url: string, expected: MediaKind | 'page', parts: FetchParts): Promise<PingResult> {
  const head = expected === 'image' ? undefined : await requestHead(url, parts)
  return head ?? tryTwice((assertLasting) => getOnce(url, expected, parts, assertLasting), parts.signal)
}

/** `undefined` when a `GET` has to find out: some servers refuse a `HEAD`, or end its connection. */
async function requestHead(url: string, parts: FetchParts): Promise<VerifiedUrl | undefined> {
  try {
    const response = await followRedirects(url, { ...parts, method: 'HEAD', headers: HEADERS })
    response.body.destroy()
    return isSuccess(response) ? readHeaders(response) : undefined
  } catch (error) {
    parts.signal.throwIfAborted()
    if (verdictOf(error).verdict === 'unreachable') throw error
    return undefined
  }
}

async function getOnce(
  url: string,
  expected: MediaKind | 'page',
  parts: FetchParts,
  assertLasting: AssertLasting,
  range: Readonly<Record<string, string>> = RANGE,
): Promise<PingResult> {
  const response = await followRedirects(url, { ...parts, method: 'GET', headers: { ...HEADERS, ...range } })
  try {
    if (isSuccess(response))
      return expected === 'image' ? await measureImage(response, parts.signal) : readHeaders(response)
    const { statusCode } = response
    // Some servers refuse the range although it begins at 0.
    if (statusCode === 416 && range === RANGE) return await getOnce(url, expected, parts, assertLasting, {})
    assertLasting(response)
    return isPassingStatus(statusCode) ? unverified(statusCode) : unreachable(`responded with status ${statusCode}`)
  } finally {
    response.body.destroy()
  }
}

const unverified = (statusCode: number): UnverifiedUrl => ({
  verdict: 'unverified',
  reason: `responded with status ${statusCode}`,
})

const isSuccess = ({ statusCode }: FinalResponse) => statusCode >= 200 && statusCode < 300

function readHeaders({ headers }: FinalResponse): VerifiedUrl {
  const contentType = parseContentType(headers['content-type'])
  const total = /\/(\d+)$/.exec(String(headers['content-range'] ?? ''))?.[1]
  const length = headers['content-range'] || headers['content-encoding'] ? undefined : headers['content-length']
  const size = Number(total ?? length ?? NaN)
  return {
    verdict: 'verified',
    kind: mediaKind(contentType),
    type: mediaType(contentType),
    size: Number.isSafeInteger(size) ? size : null,
    width: null,
    height: null,
  }
}

/** Only bytes that a browser can draw are an image, whatever their headers say. */
async function measureImage(response: FinalResponse, signal: AbortSignal): Promise<PingResult> {
  const declared = readHeaders(response)
  const { bytes, isComplete } = await readBody(response, { maxBytes: MAX_HEAD_BYTES, signal })
  const size = declared.size ?? (isComplete && response.statusCode === 200 ? bytes.length : null)
  const isWhole = isComplete && (size === null || size === bytes.length)
  const head = probeImage(bytes, { isWhole })
  if (!head) return unreachable('is no image that a browser can draw')
  return { ...declared, kind: 'image', ...head, size, ...(isWhole && size !== null && { bytes }) }
}

function inspectDataUrl(url: string): PingResult {
  const bytes = decodeImageUrl(url)?.bytes
  const head = bytes && probeImage(bytes, { isWhole: true })
  return head
    ? { verdict: 'verified', kind: 'image', ...head, size: bytes.length, bytes }
    : unreachable('is no image that a browser can draw')
}
