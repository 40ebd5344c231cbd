import { MAX_HEAD_BYTES, readImageHead } from '../../images/index.js'
import { followRedirects, readBody, USER_AGENT, type FetchContext, type FinalResponse } from '../fetch/index.js'
import { mediaKind, mediaType, type MediaKind } from './media-type.js'

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
 * for anything else, a `HEAD` is enough, with a short `GET` where the server does not support `HEAD`.
 *
 * @returns  `undefined` for a status other than 2xx.
 * @throws   {PageError} as `followRedirects` does.
 */
export async function pingUrl(
  url: string,
  expected: MediaKind | 'page',
  context: FetchContext,
): Promise<PingResult | undefined> {
  if (expected !== 'image') {
    const headResponse = await followRedirects(url, { ...context, method: 'HEAD', headers: HEADERS })
    headResponse.body.destroy()
    if (isSuccess(headResponse)) return readHeaders(headResponse)
  }
  const response = await followRedirects(url, { ...context, method: 'GET', headers: { ...HEADERS, ...RANGE } })
  try {
    if (!isSuccess(response)) return undefined
    return expected === 'image' ? await measureImage(response, context.signal) : readHeaders(response)
  } finally {
    response.body.destroy()
  }
}

const isSuccess = ({ statusCode }: FinalResponse) => statusCode >= 200 && statusCode < 300

function readHeaders({ headers }: FinalResponse): PingResult {
  const contentType = String(headers['content-type'] ?? '')
    .split(';', 1)
    .join()
    .trim()
    .toLowerCase()
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
