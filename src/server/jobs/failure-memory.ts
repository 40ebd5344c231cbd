import { LRUCache } from 'lru-cache'
import type { ErrorCode, PageError } from '../../query/index.js'

/** How long it is not tried again, milliseconds. `missingPage` is for a page that answers 404, which is no error. */
export const FAILURE_TTL_MS = { default: 60_000, timeout: 600_000, missingPage: 600_000 } as const

const MAX_FAILURES = 10_000

/** Nothing was spent on these, or they say nothing about the page. */
const NEVER_REMEMBERED: ReadonlySet<ErrorCode> = new Set([
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
  'EABORTED',
  'EFATALCLIENT',
  'ETIMEOUTCLIENT',
])

/** What went wrong with a page a short while ago, so that a dead page does not cost a browser each time. */
export interface FailureMemory {
  /** Does nothing for errors that say nothing about the page, such as `EBUSY`. */
  remember(key: string, error: PageError): void
  recall(key: string): PageError | undefined
}

/** @param clock  Milliseconds; only differences count. */
export function createFailureMemory({ clock = Date.now }: { clock?: () => number } = {}): FailureMemory {
  const failures = new LRUCache<string, { error: PageError; until: number }>({ max: MAX_FAILURES })
  return {
    remember(key, error) {
      if (!NEVER_REMEMBERED.has(error.code)) failures.set(key, { error, until: clock() + ttlOf(error.code) })
    },
    recall(key) {
      const failure = failures.get(key)
      if (failure && clock() < failure.until) return failure.error
      failures.delete(key)
      return undefined
    },
  }
}

function ttlOf(code: ErrorCode): number {
  return code === 'ETIMEOUT' || code === 'EBRWSRTIMEOUT' ? FAILURE_TTL_MS.timeout : FAILURE_TTL_MS.default
}
