import type { PageResponse } from '../query/index.js'

/** Where an answer came from; a fact that the service or something between did not tell is `undefined`. */
export interface CacheFacts {
  status: 'MISS' | 'HIT' | 'STALE' | 'BYPASS' | (string & {}) | undefined
  /** Age when it was sent. */
  ageMs: number | undefined
  /** Its whole life. */
  ttlMs: number | undefined
  /** When it was made, milliseconds since 1970. */
  timestamp: number | undefined
}

/** The daily limit of the free host. */
export interface RateLimit {
  limit: number
  remaining: number
  /** When it starts anew, seconds since 1970. */
  reset: number
}

/** An answer of the service, with what its headers said. */
export interface PageResult extends PageResponse {
  cache: CacheFacts
  /** Only when the host has a limit. */
  rateLimit: RateLimit | undefined
}

/** Adds to an answer what its headers say. */
export function pageResult(answer: PageResponse, headers: Headers): PageResult {
  const ageS = numberIn(headers, 'age')
  const limit = numberIn(headers, 'x-rate-limit-limit')
  const remaining = numberIn(headers, 'x-rate-limit-remaining')
  const reset = numberIn(headers, 'x-rate-limit-reset')
  const isLimited = limit !== undefined && remaining !== undefined && reset !== undefined
  return {
    ...answer,
    cache: {
      status: headers.get('x-cache-status') ?? undefined,
      ageMs: ageS && ageS * 1_000,
      ttlMs: numberIn(headers, 'x-cache-ttl'),
      timestamp: numberIn(headers, 'x-timestamp'),
    },
    rateLimit: isLimited ? { limit, remaining, reset } : undefined,
  }
}

function numberIn(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)
  const number = Number(text)
  return text && Number.isFinite(number) ? number : undefined
}
