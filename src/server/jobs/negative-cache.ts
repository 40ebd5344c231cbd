import { LRUCache } from 'lru-cache'
import { errorCauses } from '../../query/help/index.js'
import type { ErrorCode, PageError } from '../../query/index.js'

/**
 * How long a failure is cached, milliseconds; `notFound` limits the result of a page that responds with 404, `noContent` that of
 * a page that did not show its content, and `rejected` one that does not replace the better cached result.
 */
export const FAILURE_TTL_MS = {
  default: 60_000,
  timeout: 600_000,
  notFound: 600_000,
  noContent: 600_000,
  rejected: 600_000,
} as const

const MAX_FAILURES = 10_000

/** Caches failures of target pages for a short time, so that a dead page does not occupy a browser with every request. */
export interface NegativeCache {
  /** Ignores errors that are not due to the page, such as `EBUSY`. */
  set(key: string, error: PageError): void
  get(key: string): PageError | undefined
  clear(): void
}

/** @param clock  Milliseconds from any fixed time. Default: `Date.now`. */
export function createNegativeCache({ clock = Date.now }: { clock?: () => number } = {}): NegativeCache {
  const failures = new LRUCache<string, { error: PageError; expiresAt: number }>({ max: MAX_FAILURES })
  return {
    set(key, error) {
      if (errorCauses[error.code] === 'page') failures.set(key, { error, expiresAt: clock() + ttlOf(error.code) })
    },
    get(key) {
      const failure = failures.get(key)
      if (failure && clock() < failure.expiresAt) return failure.error
      failures.delete(key)
      return undefined
    },
    clear: () => failures.clear(),
  }
}

function ttlOf(code: ErrorCode): number {
  return code === 'ETIMEOUT' ? FAILURE_TTL_MS.timeout : FAILURE_TTL_MS.default
}
