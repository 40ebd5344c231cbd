import { imageSize } from 'image-size'
import type { Dispatcher } from 'undici'
import type { Guard } from '../network/index.js'
import { followRedirects, type Arrival } from './follow-redirects.js'
import { mediaKind, mediaType, type MediaKind } from './media-type.js'
import { readBytes } from './read-bytes.js'

/** What an address that answers is; sizes are `null` when nobody says. */
export interface PingedUrl {
  kind: MediaKind | undefined
  type: string | null
  /** Bytes. */
  size: number | null
  /** As shown, pixels. */
  width: number | null
  height: number | null
  /** The whole of an image that is no larger than what a ping reads. */
  bytes?: Buffer
}

export interface PingOptions {
  guard: Guard
  dispatcher: Dispatcher
  signal: AbortSignal
}

/** Enough for the dimensions of every common format, metadata before them included. */
const MAX_PING_BYTES = 65_536

const HEADERS = {
  'user-agent': 'Mozilla/5.0 (compatible; PagePreview/1.0)',
  accept: '*/*',
  'accept-encoding': 'identity',
}
const RANGE = { range: `bytes=0-${MAX_PING_BYTES - 1}` }

/**
 * Asks whether an address answers, and what it is. An image is measured by its first 64 kB, so that one request does; all else is
 * asked for its headers, with a short `GET` where `HEAD` is not served.
 *
 * @returns  `undefined` when it answers, but not with success.
 * @throws   {PageError} as `followRedirects` does.
 */
export async function pingUrl(
  url: string,
  expected: MediaKind | 'page',
  options: PingOptions,
): Promise<PingedUrl | undefined> {
  if (expected !== 'image') {
    const answer = await ask(url, 'HEAD', options)
    answer.body.destroy()
    if (isSuccess(answer)) return describe(answer)
  }
  const answer = await ask(url, 'GET', options)
  try {
    if (!isSuccess(answer)) return undefined
    return expected === 'image' ? await measure(answer, options.signal) : describe(answer)
  } finally {
    answer.body.destroy()
  }
}

const ask = (url: string, method: 'GET' | 'HEAD', options: PingOptions) =>
  followRedirects(url, { ...options, method, headers: method === 'GET' ? { ...HEADERS, ...RANGE } : HEADERS })

const isSuccess = ({ statusCode }: Arrival) => statusCode >= 200 && statusCode < 300

function describe({ headers }: Arrival): PingedUrl {
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

async function measure(answer: Arrival, signal: AbortSignal): Promise<PingedUrl> {
  const described = describe(answer)
  const encoding = answer.headers['content-encoding']?.toString()
  const { bytes, isWhole } = await readBytes(answer.body, { encoding, maxBytes: MAX_PING_BYTES, signal })
  const size = described.size ?? (isWhole && answer.statusCode === 200 ? bytes.length : null)
  // A page that says "not found" with 200 has no dimensions, and no image type either.
  return { ...described, size, ...dimensions(bytes), ...(isWhole && size === bytes.length && { bytes }) }
}

function dimensions(bytes: Buffer): Partial<PingedUrl> {
  try {
    const { width, height, type, orientation = 1 } = imageSize(bytes)
    const isTurned = orientation >= 5
    return {
      kind: 'image',
      ...(type && { type }),
      width: Math.round(isTurned ? height : width) || null,
      height: Math.round(isTurned ? width : height) || null,
    }
  } catch {
    // No image that we know, or one whose dimensions come later: what the headers say stays.
    return {}
  }
}
