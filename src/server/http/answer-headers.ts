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
    ...CORS,
    'x-timestamp': String(kept.madeAt),
    'x-cache-ttl': String(ttlMs),
    'x-fetch-mode': kept.body.fetchMode,
    'server-timing': serverTiming(kept.body.timings),
    'cache-control': `${scope}, max-age=${freshS}${grace}`,
  }
}

/** What is told of one request, whatever it asks for. */
export interface TellingFacts {
  requestId: string
  /** On the clock of `performance.now()`. */
  startedAt: number
  plan: Plan
  /** Only where the host has one. */
  limit: LimitState | undefined
}

/** `kept` and the facts of an answer at this moment. */
export function momentHeaders(
  kept: Readonly<Record<string, string>>,
  given: GivenAnswer,
  { facts, now, length }: { facts: TellingFacts; now: number; length: number },
): Record<string, string> {
  const ageMs = Math.max(0, now - given.kept.madeAt)
  // One literal of known shape: many spreads and assignments in a row take longer than everything else in a cached answer.
  const headers = {
    ...kept,
    'content-length': String(length),
    'x-cache-status': given.status,
    age: String(Math.floor(ageMs / 1_000)),
    'cache-status': `page-preview; ${CACHE_STATUS[given.status]}; ttl=${Math.floor((given.ttlMs - ageMs) / 1_000)}`,
    'x-request-id': facts.requestId,
    'x-response-time': responseTime(facts),
    'x-pricing-plan': facts.plan,
  }
  return facts.limit ? { ...headers, ...limitHeaders(facts.limit, now) } : headers
}

/** The facts of one request. */
export function requestHeaders(facts: TellingFacts, now: number): Record<string, string> {
  return {
    ...CORS,
    'x-request-id': facts.requestId,
    'x-response-time': responseTime(facts),
    'x-pricing-plan': facts.plan,
    ...(facts.limit && limitHeaders(facts.limit, now)),
  }
}

const responseTime = ({ startedAt }: TellingFacts) => `${Math.max(0, performance.now() - startedAt).toFixed(1)}ms`

const limitHeaders = ({ limit, remaining, resetAt }: LimitState, now: number) => ({
  'x-rate-limit-limit': String(limit),
  'x-rate-limit-remaining': String(remaining),
  'x-rate-limit-reset': String(Math.ceil(resetAt / 1_000)),
  'ratelimit-policy': `"daily";q=${limit};w=86400`,
  ratelimit: `"daily";r=${remaining};t=${Math.max(1, Math.ceil((resetAt - now) / 1_000))}`,
})

const serverTiming = (timings: Record<string, number>) =>
  Object.entries(timings)
    .map(([step, ms]) => `${step};dur=${ms.toFixed(1)}`)
    .join(', ')
