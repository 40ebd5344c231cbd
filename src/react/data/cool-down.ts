import type { QueryClient } from '@tanstack/react-query'

/** How long to leave a service alone that says 429 and not until when. */
export const COOL_DOWN_MS = 60_000

/** When each host may be asked again, milliseconds since 1970: what one preview is told holds for all of the same cache. */
export const coolDownEnds = new WeakMap<QueryClient, Map<string, number>>()

/** For how long a host is not to be asked, milliseconds; 0 when it may be. */
export function coolDownMs(cache: QueryClient, host: string): number {
  return Math.max(0, (coolDownEnds.get(cache)?.get(host) ?? 0) - Date.now())
}
