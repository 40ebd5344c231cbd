import pLimit from 'p-limit'
import type { MediaKind } from './media-type.js'
import { pingUrl, type PingedUrl, type PingOptions } from './ping-url.js'
import { withDeadline } from './with-deadline.js'

/** Asks for addresses on behalf of one page. */
export interface Pinger {
  /** `undefined` for what is not publicly reachable, or could not be asked for in time. An address is asked for once. */
  ping(url: string, expected: MediaKind | 'page'): Promise<PingedUrl | undefined>
  /** Whether an address was left out because of the bounds. */
  isShort(): boolean
}

const MAX_PINGS = 20
const MAX_PINGS_AT_ONCE = 6
const PING_TIMEOUT_MS = 2_000

/** @param options  `signal` ends all pings; those under way are then unreachable. */
export function createPinger({ signal, ...options }: PingOptions): Pinger {
  const limit = pLimit(MAX_PINGS_AT_ONCE)
  const asked = new Map<string, Promise<PingedUrl | undefined>>()
  let isShort = false

  const ask = async (url: string, expected: MediaKind | 'page') => {
    try {
      const ping = (signal: AbortSignal) => pingUrl(url, expected, { ...options, signal })
      return await withDeadline(ping, { signal, ms: PING_TIMEOUT_MS, late: () => new Error('no answer in time') })
    } catch {
      // Whatever the reason, it is not reachable; only the end of all pings is worth telling.
      isShort ||= signal.aborted
      return undefined
    }
  }
  return {
    isShort: () => isShort,
    async ping(url, expected) {
      const key = url.replace(/#.*$/, '')
      const known = asked.get(key)
      if (known) return known
      if (asked.size >= MAX_PINGS) {
        isShort = true
        return undefined
      }
      const answer = limit(() => ask(url, expected))
      asked.set(key, answer)
      return answer
    },
  }
}
