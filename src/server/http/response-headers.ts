import { ALLOW_HOSTS_HEADER } from '../../query/help/index.js'
import type { CacheStatus, ResolvedResult } from '../results/index.js'
import type { Authorization } from './authorize.js'
import { corsHeaders } from './cors.js'
import type { QuotaState } from '../budget/index.js'
import type { RequestContext } from './request-context.js'

/** Values of `cache-status`: https://www.rfc-editor.org/rfc/rfc9211 */
const CACHE_STATUS: Readonly<Record<CacheStatus, string>> = {
  HIT: 'hit',
  STALE: 'hit; detail=stale',
  MISS: 'fwd=miss; stored',
  BYPASS: 'fwd=request; stored',
}

const CREDENTIAL_HEADERS = ['authorization', 'cookie']

/**
 * The headers that every response from one cache entry shares; `perRequestHeaders` adds the others.
 *
 * @param targetHeaders  Names of the request headers sent to the target page: with credentials among them, the result is
 *                       private.
 */
export function resultHeaders(
  { entry, ttlMs, staleTtlMs }: ResolvedResult,
  targetHeaders: readonly string[],
  { isPublic, expiresAt, now }: Authorization & { now: number },
): Record<string, string> {
  const isPrivate = !isPublic || targetHeaders.some((name) => CREDENTIAL_HEADERS.includes(name))
  return {
    ...corsHeaders,
    'x-timestamp': String(entry.createdAt),
    'x-cache-ttl': String(ttlMs),
    'x-fetch-mode': entry.body.fetchMode,
    'server-timing': serverTiming(entry.body.timings),
    // A restricted request has results of its own.
    vary: ALLOW_HOSTS_HEADER,
    'cache-control': cacheControl({ ttlMs, staleTtlMs, remainingMs: expiresAt - now, isPrivate }),
  }
}

interface CacheControl {
  ttlMs: number
  staleTtlMs: number | false
  /** Milliseconds until the URL is refused. */
  remainingMs: number
  isPrivate: boolean
}

/** Counts from this response and not from the creation of the result, because some caches do not subtract `age`. */
function cacheControl({ ttlMs, staleTtlMs, remainingMs, isPrivate }: CacheControl): string {
  const remainingS = Math.max(0, Math.floor(remainingMs / 1_000))
  const ttlS = Math.min(remainingS, Math.floor(ttlMs / 1_000))
  const freshS = Math.min(remainingS, Math.floor((staleTtlMs === false ? ttlMs : staleTtlMs) / 1_000))
  const staleS = ttlS - freshS
  const whileStale = staleS > 0 ? `, stale-while-revalidate=${staleS}, stale-if-error=${staleS}` : ''
  return `${isPrivate ? 'private' : 'public'}, max-age=${freshS}${whileStale}`
}

/** What the headers of a response report about its request. */
export interface RequestMetadata extends Pick<RequestContext, 'requestId' | 'startedAt' | 'plan'> {
  /** `undefined` on the pro host, which has no daily limit. */
  quota: QuotaState | undefined
}

/**
 * The headers of a result that change with time and request; names and values alternate, because a list costs a cached
 * response much less than an object.
 */
export function perRequestHeaders(
  { entry, cacheStatus, ttlMs }: ResolvedResult,
  metadata: RequestMetadata,
  now: number,
): string[] {
  const ageS = Math.max(0, Math.floor((now - entry.createdAt) / 1_000))
  const remainingS = Math.floor((entry.createdAt + ttlMs - now) / 1_000)
  return [
    'x-cache-status',
    cacheStatus,
    'age',
    String(ageS),
    'cache-status',
    `page-preview; ${CACHE_STATUS[cacheStatus]}; ttl=${remainingS}`,
    ...requestHeaders(metadata),
  ]
}

/** The headers of every response, also of an error; names and values alternate. */
export function requestHeaders({ requestId, startedAt, plan, quota }: RequestMetadata): string[] {
  const elapsedMs = Math.round(Math.max(0, performance.now() - startedAt) * 10) / 10
  const headers = ['x-request-id', requestId, 'x-pricing-plan', plan, 'x-response-time', `${elapsedMs}ms`]
  return quota ? headers.concat(quota.headers) : headers
}

/** An object from a list in which names and values alternate. */
export const headersFromList = (list: readonly string[]): Record<string, string> =>
  Object.fromEntries(Array.from({ length: list.length / 2 }, (_, index) => [list[index * 2], list[index * 2 + 1]]))

const serverTiming = (timings: Record<string, number>) =>
  Object.entries(timings)
    .map(([step, ms]) => `${step};dur=${ms.toFixed(1)}`)
    .join(', ')
