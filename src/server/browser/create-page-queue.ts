import pLimit from 'p-limit'
import { PageError } from '../../query/index.js'
import { abortable } from './abortable.js'

/** Limits how many pages are open at the same time, and how many callers may wait. */
export interface PageQueue {
  /**
   * Starts `work` when a page may be opened, in the order of the calls.
   *
   * @throws  {PageError} `EBUSY` at once when the queue is full; an aborted `signal` throws its own reason, at once.
   */
  run<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result>
  /** Callers whose work has not started yet. */
  length(): number
}

export interface PageQueueOptions {
  concurrency: number
  /** Callers that may wait. */
  maxLength: number
}

/** Until the first page has been measured. */
const INITIAL_ESTIMATE_MS = 1_000
/** The share of the latest page in the moving average. */
const SMOOTHING = 1 / 8

export function createPageQueue({ concurrency, maxLength }: PageQueueOptions): PageQueue {
  const limit = pLimit(concurrency)
  // p-limit cannot drop a single entry, so aborted callers are discounted here and skipped when their turn comes.
  const waiting = new Set<symbol>()
  let averageMs = INITIAL_ESTIMATE_MS

  const measure = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      averageMs += (performance.now() - startedAt - averageMs) * SMOOTHING
    }
  }

  return {
    length: () => waiting.size,
    async run(work, signal) {
      signal.throwIfAborted()
      const mustWait = limit.activeCount >= concurrency
      if (mustWait && waiting.size >= maxLength) throw queueFullError((averageMs * (waiting.size + 1)) / concurrency)
      const ticket = Symbol('waiting caller')
      const leave = () => void waiting.delete(ticket)
      if (mustWait) waiting.add(ticket)
      signal.addEventListener('abort', leave, { once: true })
      const job = limit(() => {
        leave()
        signal.removeEventListener('abort', leave)
        signal.throwIfAborted()
        return measure(work)
      })
      return abortable(job, signal)
    },
  }
}

function queueFullError(estimatedWaitMs: number): PageError {
  const retryAfterMs = Math.min(Math.max(Math.ceil(estimatedWaitMs), 1_000), 60_000)
  const seconds = Math.ceil(retryAfterMs / 1_000)
  return new PageError('EBUSY', `Too many pages are waiting for the browser. Try again in ${seconds} seconds.`, {
    retryAfterMs,
  })
}
