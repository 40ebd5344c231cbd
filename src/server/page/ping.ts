import pLimit from 'p-limit'
import { withTimeout } from '../jobs/index.js'
import {
  fetchImage,
  fetchJson,
  type PingParts,
  followRedirects,
  readBody,
  USER_AGENT,
  type FetchParts,
  type FinalResponse,
} from './fetch/index.js'
import { type MediaKind, mediaKind, mediaType, parseContentType } from './media-type.js'
import { MAX_HEAD_BYTES, readImageHead } from '../images/index.js'

/** Checks the URLs of one page within its limits; each URL is pinged once. */
export interface Pinger {
  /** `undefined` when the URL is not publicly reachable, or could not be checked within the limits. */
  ping(url: string, expected: MediaKind | 'page'): Promise<PingResult | undefined>
  /** The colours of an image that was pinged; `undefined` when it cannot be decoded. */
  palette(url: string, ping: PingResult): Promise<string[] | undefined>
  /** A JSON document; `undefined` when it is invalid, not publicly reachable, or does not arrive in time. */
  fetchJson(url: string): Promise<unknown>
  /** Whether a URL remained unchecked because of the limits. */
  isIncomplete(): boolean
}

const MAX_REQUESTS = 20
const MAX_CONCURRENT_REQUESTS = 6
const REQUEST_TIMEOUT_MS = 2_000
/** The start of a process included, which takes long on a busy machine. */
const PALETTE_TIMEOUT_MS = 4_000
const MAX_PALETTE_BYTES = 5_000_000

/** @param parts  Aborting their `signal` ends all requests; their URLs then count as unreachable. */
export function createPinger({ signal, images, client, ...parts }: PingParts): Pinger {
  const limit = pLimit(MAX_CONCURRENT_REQUESTS)
  let requestCount = 0
  let isIncomplete = false

  const attempt = async <Result>(
    work: (signal: AbortSignal) => Promise<Result>,
    timeoutMs = REQUEST_TIMEOUT_MS,
  ): Promise<Result | undefined> => {
    const timeoutError = () => new Error('no response in time')
    try {
      return await limit(() => withTimeout(work, { signal, timeoutMs, timeoutError }))
    } catch {
      // Any error means unreachable; only an abort leaves it open whether the URL is.
      isIncomplete ||= signal.aborted
      return undefined
    }
  }
  const request = <Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result | undefined> => {
    if (++requestCount <= MAX_REQUESTS) return attempt(work)
    isIncomplete = true
    return Promise.resolve(undefined)
  }
  const fetchBytes = (url: string) =>
    request((signal) => fetchImage(url, { ...parts, signal, maxBytes: MAX_PALETTE_BYTES }))

  const pings = new Map<string, Promise<PingResult | undefined>>()
  return {
    isIncomplete: () => isIncomplete,
    ping(url, expected) {
      const key = url.split('#', 1).join()
      const ping = pings.get(key) ?? request((signal) => pingUrl(url, expected, { ...parts, signal }))
      pings.set(key, ping)
      return ping
    },
    async palette(url, ping) {
      const bytes = ping.bytes ?? (await fetchBytes(url))
      return bytes && attempt((signal) => images.samplePalette(bytes, { client, signal }), PALETTE_TIMEOUT_MS)
    },
    fetchJson: (url) => request((signal) => fetchJson(url, { ...parts, signal })),
  }
}

/** What a reachable URL leads to; unknown sizes are `null`. */
export interface PingResult {
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

const HEADERS = {
  'user-agent': USER_AGENT,
  accept: '*/*',
  'accept-encoding': 'identity',
}
const RANGE = { range: `bytes=0-${MAX_HEAD_BYTES - 1}` }

/**
 * Checks whether a URL is reachable, and what it leads to. For an image, one `GET` of the first 64 kB yields the dimensions too;
 * for anything else, a `HEAD` is enough, with a short `GET` if the server does not support `HEAD`.
 *
 * @returns  `undefined` for a status other than 2xx.
 * @throws   {PageError} as `followRedirects` does.
 */
async function pingUrl(url: string, expected: MediaKind | 'page', parts: FetchParts): Promise<PingResult | undefined> {
  if (expected !== 'image') {
    const headResponse = await followRedirects(url, { ...parts, method: 'HEAD', headers: HEADERS })
    headResponse.body.destroy()
    if (isSuccess(headResponse)) return readHeaders(headResponse)
  }
  const response = await followRedirects(url, { ...parts, method: 'GET', headers: { ...HEADERS, ...RANGE } })
  try {
    if (!isSuccess(response)) return undefined
    return expected === 'image' ? await measureImage(response, parts.signal) : readHeaders(response)
  } finally {
    response.body.destroy()
  }
}

const isSuccess = ({ statusCode }: FinalResponse) => statusCode >= 200 && statusCode < 300

function readHeaders({ headers }: FinalResponse): PingResult {
  const contentType = parseContentType(headers['content-type'])
  const total = /\/(\d+)$/.exec(String(headers['content-range'] ?? ''))?.[1]
  const length = headers['content-range'] || headers['content-encoding'] ? undefined : headers['content-length']
  const size = Number(total ?? length ?? NaN)
  return {
    kind: mediaKind(contentType),
    type: mediaType(contentType),
    size: Number.isSafeInteger(size) ? size : null,
    width: null,
    height: null,
  }
}

async function measureImage(response: FinalResponse, signal: AbortSignal): Promise<PingResult> {
  const result = readHeaders(response)
  const encoding = response.headers['content-encoding']?.toString()
  const { bytes, isComplete } = await readBody(response.body, { encoding, maxBytes: MAX_HEAD_BYTES, signal })
  const size = result.size ?? (isComplete && response.statusCode === 200 ? bytes.length : null)
  return { ...result, size, ...readDimensions(bytes), ...(isComplete && size === bytes.length && { bytes }) }
}

function readDimensions(bytes: Buffer): Partial<PingResult> {
  const { type, ...dimensions } = readImageHead(bytes) ?? {}
  // Without a head, because it may be an error page served with 200, the headers decide what it is.
  return 'width' in dimensions ? { kind: 'image', ...(type && { type }), ...dimensions } : {}
}
