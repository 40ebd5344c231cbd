import { setMaxListeners } from 'node:events'
import { LRUCache } from 'lru-cache'
import { isPageError, PageError } from '../../query/index.js'
import { createFairQueue } from '../budget/index.js'
import { busyError } from '../busy-error.js'
import type { Store } from '../store/index.js'
import { withTimeout } from './with-timeout.js'

/** Requests with `staleTtl=0` in a loop must not keep the browser busy. */
const MIN_INTERVAL_MS = 60_000
/** The delay after the first failure; each further failure in a row doubles it. */
const FIRST_RETRY_DELAY_MS = 60_000
const MAX_RETRY_DELAY_MS = 3_600_000
/** Fraction of the delay that is added at random, so that pages that failed together are not retried together. */
const JITTER = 0.2
const MAX_QUEUED_PER_CLIENT = 20
const MAX_FAILURES = 10_000
const MAX_STARTS = 10_000

/** Refreshes stale cache entries in the background; no request waits for it. */
export interface Revalidations {
  /**
   * Starts or queues a revalidation; clients take turns in the queue. Does nothing while one of the same key runs or is
   * queued, within a minute of the last one on any instance, during the retry delay after a failure, and when too many are
   * queued. A later request tries again.
   *
   * @param client  Who requested the stale result.
   * @param revalidate  Its signal aborts at the timeout and on `close`. Failing with `ERATE` counts as not started, because
   *   another client may have quota left.
   */
  schedule(key: string, client: string, revalidate: (signal: AbortSignal) => Promise<void>): void
  /** Why the last revalidation of the key failed; `undefined` after a success. */
  lastFailure(key: string): RevalidationFailure | undefined
  /** Forgets that failure, and its retry delay, because another request has produced a newer result. */
  forgetFailure(key: string): void
  /** How many this instance has started so far, and their outcomes. */
  counts(): { readonly started: number; readonly done: number; readonly failed: number }
  /** Aborts running revalidations, drops queued ones, and resolves when none runs any more. */
  close(): Promise<void>
}

export interface RevalidationFailure {
  error: unknown
  /** Milliseconds since 1970. */
  failedAt: number
  /** Milliseconds since 1970; until then the key is not revalidated. */
  retryAt: number
}

type Claims = Pick<Store['locks'], 'claim' | 'unclaim'>

const ALONE: Claims = { claim: async () => true, unclaim: async () => undefined }

export function createRevalidations({
  concurrency = 2,
  queue = 100,
  timeoutMs = 60_000,
  clock = Date.now,
  random = Math.random,
  claims = ALONE,
}: {
  /** Revalidations that run at the same time. */
  concurrency?: number
  /** Revalidations that may be queued. */
  queue?: number
  timeoutMs?: number
  /** Milliseconds since 1970. */
  clock?: () => number
  /** A random number from 0 to 1. */
  random?: () => number
  /** Where instances agree on which one starts a revalidation. Default: this instance decides alone. */
  claims?: Claims
} = {}): Revalidations {
  const runs = createFairQueue({
    concurrency,
    maxWaiting: queue,
    maxWaitingPerClient: MAX_QUEUED_PER_CLIENT,
    fullError: () => busyError('Too many revalidations are queued'),
  })
  const pending = new Map<string, Promise<void>>()
  const starts = new LRUCache<string, number>({ max: MAX_STARTS })
  const failures = createFailures({ clock, random })
  const closing = new AbortController()
  // Node warns of more than ten listeners, and each queued revalidation has one.
  setMaxListeners(0, closing.signal)
  const counts = { started: 0, done: 0, failed: 0 }

  const nextStartAt = (key: string) => (starts.get(key) ?? -Infinity) + MIN_INTERVAL_MS

  const claimOf = (key: string) => `revalidation ${key}`
  const forgetStart = async (key: string) => {
    await claims.unclaim(claimOf(key))
    starts.delete(key)
  }

  async function run(key: string, revalidate: (signal: AbortSignal) => Promise<void>) {
    if (closing.signal.aborted || !(await claims.claim(claimOf(key), MIN_INTERVAL_MS))) return
    counts.started++
    try {
      await withTimeout(revalidate, { timeoutMs, signal: closing.signal, timeoutError })
      failures.delete(key)
      counts.done++
    } catch (error) {
      if (isPageError(error) && error.code === 'ERATE') await forgetStart(key)
      else if (!closing.signal.aborted) {
        failures.add(key, error)
        counts.failed++
      }
    }
  }

  return {
    schedule(key, client, revalidate) {
      if (closing.signal.aborted || pending.has(key)) return
      if (clock() < Math.max(nextStartAt(key), failures.get(key)?.retryAt ?? 0)) return
      starts.set(key, clock())
      const revalidation = runs
        .run({ client }, () => run(key, revalidate), closing.signal)
        // Not started: the queue is full, or the claim failed.
        .catch(() => starts.delete(key))
        .then(() => void pending.delete(key))
      pending.set(key, revalidation)
    },
    lastFailure: (key) => failures.get(key),
    forgetFailure: (key) => void failures.delete(key),
    counts: () => counts,
    async close() {
      closing.abort(new PageError('EABORTED', 'The service is shutting down.'))
      await Promise.all(pending.values())
    },
  }
}

const timeoutError = () => new PageError('ETIMEOUT', 'The revalidation took too long.')

/** The last failure of each key, with exponential backoff over failures in a row. */
function createFailures({ clock, random }: { clock: () => number; random: () => number }) {
  const failures = new LRUCache<string, { failure: RevalidationFailure; count: number }>({ max: MAX_FAILURES })
  return {
    add(key: string, error: unknown) {
      const count = (failures.get(key)?.count ?? 0) + 1
      const failedAt = clock()
      failures.set(key, { failure: { error, failedAt, retryAt: failedAt + retryDelay(count, random()) }, count })
    },
    get: (key: string): RevalidationFailure | undefined => failures.peek(key)?.failure,
    delete: (key: string) => failures.delete(key),
  }
}

/** @param count  How many times in a row the key failed. */
function retryDelay(count: number, random: number): number {
  const delayMs = Math.min(FIRST_RETRY_DELAY_MS * 2 ** (count - 1), MAX_RETRY_DELAY_MS)
  return Math.round(delayMs * (1 + JITTER * random))
}
