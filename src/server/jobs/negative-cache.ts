import { LRUCache } from 'lru-cache'
import { errorCauses } from '../../query/help/index.js'
import { isPageError, type ErrorCode, type PageError } from '../../query/index.js'

/**
 * How long a failure is cached, milliseconds. Results that are hardly better than a failure are cached only as long as one: a
 * provisional result for `default`, a result with status 404 for `notFound`, and a result that does not replace the better cached one
 * for `rejected`. A page that did not show its content is opened again after `noContent`, and one with an image that could not be verified
 * after `unverified`; both double each time.
 */
export const FAILURE_TTL_MS = {
  default: 60_000,
  timeout: 600_000,
  notFound: 600_000,
  noContent: 600_000,
  unverified: 60_000,
  rejected: 600_000,
} as const

const MAX_FAILURES = 10_000

/** Something besides the page failed for a moment, such as a name server, so the page may not fail again. */
export class TransientError extends Error {
  override readonly name = 'TransientError'
}

/** Caches failures of target pages for a short time, so that a dead page does not occupy a browser with every request. */
export interface NegativeCache {
  /** Ignores errors that are not due to the page: `EBUSY`, and those with a `TransientError` or such an error among their causes. */
  set(key: string, error: PageError): void
  get(key: string): PageError | undefined
  clear(): void
}

/** @param clock  Milliseconds from any fixed time. Default: `Date.now`. */
export function createNegativeCache({ clock = Date.now }: { clock?: () => number } = {}): NegativeCache {
  const failures = new LRUCache<string, { error: PageError; expiresAt: number }>({ max: MAX_FAILURES })
  return {
    set(key, error) {
      if (isDueToPage(error)) failures.set(key, { error, expiresAt: clock() + ttlOf(error.code) })
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

function isDueToPage(error: PageError): boolean {
  if (errorCauses[error.code] !== 'page') return false
  let cause: unknown = error
  while (cause instanceof Error) {
    if (cause instanceof TransientError || (isPageError(cause) && errorCauses[cause.code] === 'service')) return false
    cause = cause.cause
  }
  return true
}

function ttlOf(code: ErrorCode): number {
  return code === 'ETIMEOUT' ? FAILURE_TTL_MS.timeout : FAILURE_TTL_MS.default
}
