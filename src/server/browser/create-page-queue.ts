import type { PageError } from '../../query/index.js'
import { createFairQueue, type Slot, type TaskOptions } from '../budget/index.js'
import { busyError } from '../busy-error.js'
import { startSpan } from '../tracing.js'
import { abortable } from './abortable.js'

/** Limits how many pages are open at the same time; clients take turns as in `FairQueue`, and none waits longer than its time allows. */
export interface PageQueue {
  /**
   * Starts `work` when a page may be opened.
   *
   * @throws  {PageError} `EBUSY` when the queue is full, or as soon as the time would be up before its turn; an
   *          aborted `signal` throws its own reason, at once.
   */
  run<Result>(
    options: Pick<TaskOptions, 'client' | 'waiters' | 'hasPriority'> & {
      /** Host of the page. */
      host: string
      /** Milliseconds until the caller's time is up. */
      remainingMs: () => number
    },
    work: (slot: Slot) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result>
  /** Callers whose work has not started yet. */
  length(): number
  /** Callers whose work runs. */
  running(): number
  /** Pages that may be open at the same time, with the reserve. */
  slots: number
}

export interface PageQueueOptions {
  /** Pages that are open at the same time, without the reserve of half as many. */
  concurrency: number
  /** Callers that may wait. */
  maxWaiting: number
  /** Called when work starts, with the milliseconds that it has waited. */
  onWaited?: ((waitedMs: number) => void) | undefined
}

/** Assumed duration of a page until the first one has been measured. */
const INITIAL_ESTIMATE_MS = 1_000
/** The share of the latest page in the moving average. */
const SMOOTHING = 1 / 8
/** A page counts as at most this many times the average, so that a page that hangs hardly raises it. */
const MAX_SLOWNESS = 4

export function createPageQueue({ concurrency, maxWaiting, onWaited }: PageQueueOptions): PageQueue {
  let averageMs = INITIAL_ESTIMATE_MS
  // Not more, because a page may need a gigabyte of memory.
  const reserve = Math.ceil(concurrency / 2)
  const queue = createFairQueue({
    concurrency,
    reserve,
    // A host that does not respond comes after all others, and gives its slots back when others wait.
    maxPerHost: Math.ceil((concurrency + reserve) / 2),
    maxWaiting,
    fullError: (waitInTasks) => queueFullError(averageMs * waitInTasks),
  })

  const measure = async <Result>(work: () => Promise<Result>, queuedAt: number): Promise<Result> => {
    const startedAt = performance.now()
    onWaited?.(startedAt - queuedAt)
    try {
      return await work()
    } finally {
      const durationMs = Math.min(performance.now() - startedAt, averageMs * MAX_SLOWNESS)
      averageMs += (durationMs - averageMs) * SMOOTHING
    }
  }

  return {
    length: () => queue.waiting(),
    running: () => queue.running(),
    slots: concurrency + reserve,
    run({ remainingMs, ...options }, work, signal) {
      const mayWait = (waitInTasks: number) => averageMs * waitInTasks <= remainingMs()
      const queuedAt = performance.now()
      const endWait = startSpan('queue.wait')
      const start = (slot: Slot) => {
        endWait()
        return measure(() => work(slot), queuedAt)
      }
      const job = queue.run({ ...options, mayWait }, start, signal)
      // Does nothing if the work itself has failed.
      job.catch(endWait)
      return abortable(job, signal)
    },
  }
}

function queueFullError(estimatedWaitMs: number): PageError {
  const retryAfterMs = Math.min(Math.max(Math.ceil(estimatedWaitMs), 1_000), 60_000)
  return busyError('Too many pages are waiting for the browser', { retryAfterMs })
}
