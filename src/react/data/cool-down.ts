import type { QueryClient } from '@tanstack/react-query'
import type { PageError } from '../../query/index.js'

/** How long to leave a service alone that says 429 and not until when. */
export const COOL_DOWN_MS = 60_000

/** When each host may be asked again, milliseconds since 1970: what one preview is told holds for all of the same cache. */
const ends = new WeakMap<QueryClient, Map<string, number>>()

/** The host said that it was asked too often. */
export function startCoolDown(cache: QueryClient, host: string, { retryAfterMs = COOL_DOWN_MS }: PageError): void {
  const hosts = ends.get(cache) ?? new Map<string, number>()
  ends.set(cache, hosts.set(host, Math.max(Date.now() + retryAfterMs, hosts.get(host) ?? 0)))
}

/** For how long a host is not to be asked, milliseconds; 0 when it may be. */
export function coolDownMs(cache: QueryClient, host: string): number {
  return Math.max(0, (ends.get(cache)?.get(host) ?? 0) - Date.now())
}
