import { join } from 'node:path'
import { isPageError } from '../../query/index.js'
import { createFairQueue } from '../budget/index.js'
import { busyError } from '../busy-error.js'
import { createWorkerPool, isBuilt, startThread, WorkerError } from '../worker-pool.js'
import type { ContentReading, ContentTask } from './read-content.js'

/** Finds the main content of pages, and writes it as Markdown and as text, without blocking the main thread. */
export interface ContentReader {
  /** An aborted `signal` throws its own reason. */
  read(task: ContentTask, options: { client: string; signal: AbortSignal }): Promise<ContentReading | UnreadContent>
  close(): Promise<void>
}

/** Why there is no content. */
export interface UnreadContent {
  /** Completes a sentence that begins with the content. */
  problem: string
  /** Whether another time there may be some. */
  isTemporary: boolean
}

/** For each, a thread of 60 MB, which ends when it has not been needed for a while. */
const MAX_WORKERS = 2
const IDLE_MS = 30_000
const MAX_WAITING = 100
const TIMEOUT_MS = 5_000
const MAX_HEAP_MB = 256

/** Starts nothing before the first page. */
export function createContentReader(): ContentReader {
  if (!isBuilt) return mainThreadReader
  const pool = createWorkerPool<ContentTask, ContentReading>({
    start: () => startThread(join(import.meta.dirname, 'content-worker.js'), { maxHeapMb: MAX_HEAP_MB }),
    size: MAX_WORKERS,
    queue: createFairQueue({
      concurrency: MAX_WORKERS,
      maxWaiting: MAX_WAITING,
      fullError: () => busyError('The content of too many pages is being read'),
    }),
    timeoutMs: TIMEOUT_MS,
    idleMs: IDLE_MS,
  })
  return {
    async read(task, options) {
      try {
        return await pool.run(task, options)
      } catch (error) {
        options.signal.throwIfAborted()
        return unreadContent(error)
      }
    },
    close: () => pool.close(),
  }
}

const mainThreadReader: ContentReader = {
  async read(task, { signal }) {
    const { readContent } = await import('./read-content.js')
    signal.throwIfAborted()
    return readContent(task)
  },
  async close() {},
}

function unreadContent(error: unknown): UnreadContent {
  const failure = error instanceof WorkerError ? error.failure : undefined
  const isBusy = failure === 'start' || failure === 'closed' || (isPageError(error) && error.code === 'EBUSY')
  if (isBusy) return { problem: 'could not be read yet, because the service is busy', isTemporary: true }
  // Deep recursion exhausts the stack.
  const isTooLarge = failure === 'memory' || error instanceof RangeError
  if (isTooLarge) return { problem: 'needs too much memory to be read', isTemporary: false }
  if (failure === 'timeout') return { problem: `took longer than ${TIMEOUT_MS / 1_000} s to read`, isTemporary: false }
  return { problem: 'could not be read', isTemporary: false }
}
