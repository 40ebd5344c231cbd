import { LRUCache } from 'lru-cache'
import type { ErrorCode, PageError } from '../../query/index.js'

/**
 * How long a failure is cached, milliseconds; `notFound` limits the result of a page that responds with 404, `noContent` that of
 * a page that did not show its content.
 */
export const FAILURE_TTL_MS = { default: 60_000, timeout: 600_000, notFound: 600_000, noContent: 600_000 } as const

const MAX_FAILURES = 10_000

/** These are cheap to repeat, or caused by the service and not by the page. */
const NOT_CACHED: ReadonlySet<ErrorCode> = new Set([
  'EINVALQUERY',
  'EINVALTTL',
  'EINVALSTTL',
  'EHEADERS',
  'EAUTH',
  'ENOTFOUND',
  'EMETHOD',
  'ERATE',
  'EFATAL',
  'EBUSY',
  'EBRWSRTIMEOUT',
  'EABORTED',
  'EFATALCLIENT',
  'ETIMEOUTCLIENT',
])

/** Caches failures of target pages for a short time, so that a dead page does not occupy a browser with every request. */
export interface NegativeCache {
  /** Ignores errors that do not depend on the page, such as `EBUSY`. */
  set(key: string, error: PageError): void
  get(key: string): PageError | undefined
  clear(): void
}

/** @param clock  Milliseconds from any fixed time. Default: `Date.now`. */
export function createNegativeCache({ clock = Date.now }: { clock?: () => number } = {}): NegativeCache {
  const failures = new LRUCache<string, { error: PageError; expiresAt: number }>({ max: MAX_FAILURES })
  return {
    set(key, error) {
      if (!NOT_CACHED.has(error.code)) failures.set(key, { error, expiresAt: clock() + ttlOf(error.code) })
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
