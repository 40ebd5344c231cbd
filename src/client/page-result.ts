import type { PageResponse } from '../query/index.js'

/** The cache headers of a response; `undefined` where the service or a proxy left one out. */
export interface CacheInfo {
  status: 'MISS' | 'HIT' | 'STALE' | 'BYPASS' | (string & {}) | undefined
  /** Age when the response was sent, milliseconds. */
  ageMs: number | undefined
  /** Total lifetime, milliseconds. */
  ttlMs: number | undefined
  /** When the result was produced, milliseconds since 1970. */
  timestamp: number | undefined
}

/** The daily limit of the free host. */
export interface RateLimit {
  limit: number
  remaining: number
  /** When the limit resets, seconds since 1970. */
  reset: number
}

/** The body of a response with what its headers add. */
export interface PageResult extends PageResponse {
  cache: CacheInfo
  /** Only for a host with a limit. */
  rateLimit: RateLimit | undefined
}

export function pageResult(body: PageResponse, headers: Headers): PageResult {
  const ageSeconds = numericHeader(headers, 'age')
  const limit = numericHeader(headers, 'x-rate-limit-limit')
  const remaining = numericHeader(headers, 'x-rate-limit-remaining')
  const reset = numericHeader(headers, 'x-rate-limit-reset')
  const isLimited = limit !== undefined && remaining !== undefined && reset !== undefined
  return {
    ...body,
    cache: {
      status: headers.get('x-cache-status') ?? undefined,
      ageMs: ageSeconds && ageSeconds * 1_000,
      ttlMs: numericHeader(headers, 'x-cache-ttl'),
      timestamp: numericHeader(headers, 'x-timestamp'),
    },
    rateLimit: isLimited ? { limit, remaining, reset } : undefined,
  }
}

function numericHeader(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)
  const number = Number(text)
  return text && Number.isFinite(number) ? number : undefined
}
