import type { QueryClient } from '@tanstack/react-query'
import type { PageError } from '../../query/index.js'

/** How long to pause after a 429 response without `retry-after`. */
export const DEFAULT_PAUSE_MS = 60_000

/** When each host may be requested again, milliseconds since 1970, shared by all previews of one QueryClient. */
const pauseEnds = new WeakMap<QueryClient, Map<string, number>>()

/** Milliseconds for which a host must not be requested; 0 when it may be. */
export function rateLimitPauseMs(queryClient: QueryClient, host: string): number {
  return Math.max(0, (pauseEnds.get(queryClient)?.get(host) ?? 0) - Date.now())
}

/** Pauses all requests to a host that has responded 429. */
export function startRateLimitPause(
  queryClient: QueryClient,
  host: string,
  { retryAfterMs = DEFAULT_PAUSE_MS }: PageError,
): void {
  const hosts = pauseEnds.get(queryClient) ?? new Map<string, number>()
  pauseEnds.set(queryClient, hosts.set(host, Math.max(Date.now() + retryAfterMs, hosts.get(host) ?? 0)))
}
