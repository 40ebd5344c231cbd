import pLimit from 'p-limit'
import { withTimeout } from '../../jobs/index.js'
import { fetchImage, fetchJson, type PingContext } from '../fetch/index.js'
import type { MediaKind } from './media-type.js'
import { pingUrl, type PingResult } from './ping-url.js'

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

/** @param context  Aborting its `signal` ends all requests; their URLs then count as unreachable. */
export function createPinger({ signal, images, client, ...context }: PingContext): Pinger {
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
    request((signal) => fetchImage(url, { ...context, signal, maxBytes: MAX_PALETTE_BYTES }))

  const pings = new Map<string, Promise<PingResult | undefined>>()
  return {
    isIncomplete: () => isIncomplete,
    ping(url, expected) {
      const key = url.split('#', 1).join()
      const ping = pings.get(key) ?? request((signal) => pingUrl(url, expected, { ...context, signal }))
      pings.set(key, ping)
      return ping
    },
    async palette(url, ping) {
      const bytes = ping.bytes ?? (await fetchBytes(url))
      return bytes && attempt((signal) => images.samplePalette(bytes, { client, signal }), PALETTE_TIMEOUT_MS)
    },
    fetchJson: (url) => request((signal) => fetchJson(url, { ...context, signal })),
  }
}
