import pLimit from 'p-limit'
import { fetchImage } from './fetch-image.js'
import { imagePalette } from './image-palette.js'
import type { MediaKind } from './media-type.js'
import { pingUrl, type PingedUrl, type PingOptions } from './ping-url.js'
import { readJson } from './read-json.js'
import { withDeadline } from './with-deadline.js'

/** Asks for addresses on behalf of one page; an address is asked for once, and not at all beyond the bounds. */
export interface Pinger {
  /** `undefined` for what is not publicly reachable, or could not be asked for in time. */
  ping(url: string, expected: MediaKind | 'page'): Promise<PingedUrl | undefined>
  /** The colours of an image that was pinged; `undefined` when they cannot be read. */
  palette(url: string, pinged: PingedUrl): Promise<string[] | undefined>
  /** A JSON document; `undefined` for what is none, is not publicly reachable, or did not come in time. */
  readJson(url: string): Promise<unknown>
  /** Whether an address was left out because of the bounds. */
  isShort(): boolean
}

type Work<Answer> = (signal: AbortSignal) => Promise<Answer>

const MAX_PINGS = 20
const MAX_PINGS_AT_ONCE = 6
const PING_TIMEOUT_MS = 2_000
const MAX_PALETTE_BYTES = 5_000_000

/** @param options  `signal` ends all pings; those under way are then unreachable. */
export function createPinger({ signal, ...options }: PingOptions): Pinger {
  const limit = pLimit(MAX_PINGS_AT_ONCE)
  let asked = 0
  let isShort = false

  const attempt = async <Answer>(work: Work<Answer>): Promise<Answer | undefined> => {
    try {
      const late = () => new Error('no answer in time')
      return await limit(() => withDeadline(work, { signal, ms: PING_TIMEOUT_MS, late }))
    } catch {
      // Whatever the reason, it is not reachable; only the end of all pings is worth telling.
      isShort ||= signal.aborted
      return undefined
    }
  }
  const ask = <Answer>(work: Work<Answer>): Promise<Answer | undefined> => {
    if (++asked <= MAX_PINGS) return attempt(work)
    isShort = true
    return Promise.resolve(undefined)
  }
  const pinged = new Map<string, Promise<PingedUrl | undefined>>()
  return {
    isShort: () => isShort,
    ping(url, expected) {
      const key = url.replace(/#.*$/, '')
      const answer = pinged.get(key) ?? ask((signal) => pingUrl(url, expected, { ...options, signal }))
      pinged.set(key, answer)
      return answer
    },
    palette: (url, { bytes }) =>
      bytes
        ? attempt(() => imagePalette(bytes))
        : ask(async (signal) =>
            imagePalette(await fetchImage(url, { ...options, signal, maxBytes: MAX_PALETTE_BYTES })),
          ),
    readJson: (url) => ask((signal) => readJson(url, { ...options, signal })),
  }
}
