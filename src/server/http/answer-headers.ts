import type { GivenAnswer } from '../give-answer.js'
import { CORS } from './cors.js'
import type { LimitState } from './daily-limit.js'
import type { Plan } from './plan.js'

const CREDENTIALS = ['authorization', 'cookie']

const CACHE_STATUS = { HIT: 'hit', STALE: 'hit; detail=stale', MISS: 'fwd=miss; stored', BYPASS: 'fwd=request; stored' }

/** The facts of an answer that do not change while it is kept: with `age` beside them a cache knows the rest. */
export function keptHeaders(
  { kept, ttlMs, staleTtlMs }: GivenAnswer,
  requestHeaders: readonly string[],
): Record<string, string> {
  const freshS = Math.floor((staleTtlMs === false ? ttlMs : staleTtlMs) / 1_000)
  const staleS = Math.floor(ttlMs / 1_000) - freshS
  const scope = requestHeaders.some((name) => CREDENTIALS.includes(name)) ? 'private' : 'public'
  const grace = staleS > 0 ? `, stale-while-revalidate=${staleS}, stale-if-error=${staleS}` : ''
  return {
    'x-timestamp': String(kept.madeAt),
    'x-cache-ttl': String(ttlMs),
    'x-fetch-mode': kept.body.fetchMode,
    'server-timing': serverTiming(kept.body.timings),
    'cache-control': `${scope}, max-age=${freshS}${grace}`,
  }
}

/** The facts of an answer at this moment. */
export function momentHeaders({ kept, status, ttlMs }: GivenAnswer, now: number): Record<string, string> {
  const ageMs = Math.max(0, now - kept.madeAt)
  return {
    'x-cache-status': status,
    age: String(Math.floor(ageMs / 1_000)),
    'cache-status': `page-preview; ${CACHE_STATUS[status]}; ttl=${Math.floor((ttlMs - ageMs) / 1_000)}`,
  }
}

/** The facts of one request. */
export function requestHeaders(request: {
  requestId: string
  startedAt: number
  plan: Plan
  limit: LimitState | undefined
  now: number
}): Record<string, string> {
  const { requestId, startedAt, plan, limit, now } = request
  const resetS = limit && Math.max(1, Math.ceil((limit.resetAt - now) / 1_000))
  return {
    ...CORS,
    'x-request-id': requestId,
    'x-response-time': `${Math.max(0, performance.now() - startedAt).toFixed(1)}ms`,
    'x-pricing-plan': plan,
    ...(limit && {
      'x-rate-limit-limit': String(limit.limit),
      'x-rate-limit-remaining': String(limit.remaining),
      'x-rate-limit-reset': String(Math.ceil(limit.resetAt / 1_000)),
      'ratelimit-policy': `"daily";q=${limit.limit};w=86400`,
      ratelimit: `"daily";r=${limit.remaining};t=${resetS}`,
    }),
  }
}

const serverTiming = (timings: Record<string, number>) =>
  Object.entries(timings)
    .map(([step, ms]) => `${step};dur=${ms.toFixed(1)}`)
    .join(', ')
