import type { QueryClient } from '@tanstack/react-query'
import type { PageError } from '../../query/index.js'
import { COOL_DOWN_MS, coolDownEnds } from './cool-down.js'

/** The host said that it was asked too often. */
export function startCoolDown(cache: QueryClient, host: string, { retryAfterMs = COOL_DOWN_MS }: PageError): void {
  const hosts = coolDownEnds.get(cache) ?? new Map<string, number>()
  coolDownEnds.set(cache, hosts.set(host, Math.max(Date.now() + retryAfterMs, hosts.get(host) ?? 0)))
}
