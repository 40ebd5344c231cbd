import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { PageError } from '../../query/index.js'

/** The first pause after a failure; each further one doubles it. */
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 3_600_000
/** So much of a pause is left to chance, so that pages that failed together are not tried together. */
const JITTER = 0.2
const MAX_FAILURES = 10_000

/** Work in the background, that nobody waits for. */
export interface Revalidations {
  /**
   * Starts a renewal, unless one runs or waits for the key, its last failure is too young, or too many wait: whoever asks
   * next will start it then.
   *
   * @param make  Its signal aborts at the deadline and when the renewals are closed.
   */
  renew(key: string, make: (signal: AbortSignal) => Promise<void>): void
  /** Why the last renewal of the key failed; forgotten with the next that succeeds. */
  lastFailure(key: string): RevalidationFailure | undefined
  /** Aborts what runs, drops what waits, and resolves when nothing runs any more. */
  close(): Promise<void>
}

export interface RevalidationFailure {
  error: unknown
  /** Milliseconds since 1970; before `retryAt` it is not tried again. */
  at: number
  retryAt: number
}

export interface RevalidationsOptions {
  /** Revalidations at the same time. Default: 2. */
  concurrency?: number
  /** Revalidations that may wait. Default: 100. */
  queue?: number
  /** The deadline of one renewal. Default: one minute. */
  timeoutMs?: number
  /** Milliseconds since 1970. */
  clock?: () => number
  /** From 0 to 1. */
  random?: () => number
}

export function createRevalidations({
  concurrency = 2,
  queue = 100,
  timeoutMs = 60_000,
  clock = Date.now,
  random = Math.random,
}: RevalidationsOptions = {}): Revalidations {
  const limit = pLimit(concurrency)
  const running = new Map<string, Promise<void>>()
  const failures = new LRUCache<string, RevalidationFailure & { count: number }>({ max: MAX_FAILURES })
  const closing = new AbortController()

  async function run(key: string, make: (signal: AbortSignal) => Promise<void>) {
    if (closing.signal.aborted) return
    const controller = new AbortController()
    const stop = () => controller.abort(closing.signal.reason)
    const timer = setTimeout(() => controller.abort(new PageError('ETIMEOUT', 'The renewal took too long.')), timeoutMs)
    closing.signal.addEventListener('abort', stop)
    try {
      await make(controller.signal)
      failures.delete(key)
    } catch (error) {
      if (!closing.signal.aborted) noteFailure(key, error)
    } finally {
      clearTimeout(timer)
      closing.signal.removeEventListener('abort', stop)
    }
  }

  function noteFailure(key: string, error: unknown) {
    const count = (failures.get(key)?.count ?? 0) + 1
    const at = clock()
    failures.set(key, { error, at, retryAt: at + pauseAfter(count, random()), count })
  }

  return {
    renew(key, make) {
      if (closing.signal.aborted || running.has(key) || running.size >= concurrency + queue) return
      if (clock() < (failures.get(key)?.retryAt ?? 0)) return
      const renewal = limit(() => run(key, make)).finally(() => running.delete(key))
      running.set(key, renewal)
    },
    lastFailure(key) {
      const failure = failures.peek(key)
      return failure && { error: failure.error, at: failure.at, retryAt: failure.retryAt }
    },
    async close() {
      closing.abort(new PageError('EABORTED', 'The service is being shut down.'))
      await Promise.all(running.values())
    },
  }
}

/** @param count  How many times in a row it failed. */
function pauseAfter(count: number, chance: number): number {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (count - 1), LONGEST_PAUSE_MS)
  return Math.round(pause * (1 - JITTER * chance))
}
