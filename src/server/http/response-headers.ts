import type { ResolvedResult } from '../results/index.js'
import { CORS } from './cors.js'
import type { LimitState } from './daily-limit.js'
import type { Admission, Plan } from './plan.js'

const CREDENTIALS = ['authorization', 'cookie']

const CACHE_STATUS = { HIT: 'hit', STALE: 'hit; detail=stale', MISS: 'fwd=miss; stored', BYPASS: 'fwd=request; stored' }

/**
 * The facts of an answer that do not change while it is kept: with `age` beside them a cache knows the rest. Nothing between
 * keeps it for others than those who may see it, or for longer than its address holds.
 */
export function cacheHeaders(
  { kept, ttlMs, staleTtlMs }: ResolvedResult,
  requestHeaders: readonly string[],
  { isPublic, endsAt, now }: Admission & { now: number },
): Record<string, string> {
  // Counted from now, not from when the answer was made: not every cache takes `age` off.
  const leftS = Math.max(0, Math.floor((endsAt - now) / 1_000))
  const lifeS = Math.min(leftS, Math.floor(ttlMs / 1_000))
  const freshS = Math.min(leftS, Math.floor((staleTtlMs === false ? ttlMs : staleTtlMs) / 1_000))
  const staleS = lifeS - freshS
  const scope = !isPublic || requestHeaders.some((name) => CREDENTIALS.includes(name)) ? 'private' : 'public'
  const grace = staleS > 0 ? `, stale-while-revalidate=${staleS}, stale-if-error=${staleS}` : ''
  return {
    ...CORS,
    'x-timestamp': String(kept.createdAt),
    'x-cache-ttl': String(ttlMs),
    'x-fetch-mode': kept.body.fetchMode,
    'server-timing': serverTiming(kept.body.timings),
    'cache-control': `${scope}, max-age=${freshS}${grace}`,
  }
}

/** What is told of one request, whatever it asks for. */
export interface RequestMetadata {
  requestId: string
  /** On the clock of `performance.now()`. */
  startedAt: number
  plan: Plan
  /** Only where the host has one. */
  limit: LimitState | undefined
}

/** The facts of an answer at this moment, name after value: a list costs a cached answer much less than an object. */
export function timeDependentHeaders(
  { kept, status, ttlMs }: ResolvedResult,
  facts: RequestMetadata,
  now: number,
): string[] {
  const ageS = Math.max(0, Math.floor((now - kept.createdAt) / 1_000))
  const leftS = Math.floor((kept.createdAt + ttlMs - now) / 1_000)
  const cacheStatus = `page-preview; ${CACHE_STATUS[status]}; ttl=${leftS}`
  return ['x-cache-status', status, 'age', String(ageS), 'cache-status', cacheStatus, ...requestHeaders(facts)]
}

/** The facts of one request, name after value. */
export function requestHeaders({ requestId, startedAt, plan, limit }: RequestMetadata): string[] {
  const ms = Math.round(Math.max(0, performance.now() - startedAt) * 10) / 10
  const headers = ['x-request-id', requestId, 'x-pricing-plan', plan, 'x-response-time', `${ms}ms`]
  return limit ? headers.concat(limit.headers) : headers
}

/** A list of names and values as pairs. */
export const pairs = (list: readonly string[]): [string, string][] =>
  Array.from({ length: list.length / 2 }, (_, at) => [list[at * 2]!, list[at * 2 + 1]!])

const serverTiming = (timings: Record<string, number>) =>
  Object.entries(timings)
    .map(([step, ms]) => `${step};dur=${ms.toFixed(1)}`)
    .join(', ')
