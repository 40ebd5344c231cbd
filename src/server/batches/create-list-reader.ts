import { join } from 'node:path'
import { createFairQueue } from '../budget/index.js'
import { busyError } from '../busy-error.js'
import { parseListFile, type ListFile } from '../url-list.js'
import { createWorkerPool, isBuilt, startThread, WorkerError } from '../worker-pool.js'

/** Parses sitemaps and other lists of URLs without blocking the main thread: a small file may have millions of lines or elements. */
export interface ListReader {
  /**
   * @param source  The URL of the file, for messages.
   * @throws        as `parseListFile` does, also for a file that takes too long or needs too much memory; {PageError} `EBUSY` when too
   *                many files wait or the worker does not start. An aborted `signal` throws its own reason.
   */
  parse(bytes: Uint8Array, source: string, options: { client: string; signal: AbortSignal }): Promise<ListFile>
  close(): Promise<void>
}

/** One, because each may need the memory of a whole file several times. */
const MAX_WORKERS = 1
/** What a list has needed is free again then. */
const IDLE_MS = 2_000
const MAX_WAITING = 100
/** The longest sitemap that the protocol allows takes a second or two. */
const TIMEOUT_MS = 10_000
const MAX_HEAP_MB = 256

/** Starts nothing before the first file. */
export function createListReader(): ListReader {
  if (!isBuilt) return { parse: parseListFile, close: async () => undefined }
  const pool = createWorkerPool<string, ListFile>({
    start: () => startThread(join(import.meta.dirname, 'list-worker.js'), { maxHeapMb: MAX_HEAP_MB }),
    size: MAX_WORKERS,
    queue: createFairQueue({
      concurrency: MAX_WORKERS,
      maxWaiting: MAX_WAITING,
      fullError: () => busyError('Too many sitemaps are being read'),
    }),
    timeoutMs: TIMEOUT_MS,
    idleMs: IDLE_MS,
  })
  return {
    async parse(bytes, source, options) {
      try {
        return await pool.run(source, { ...options, inputs: [bytes] })
      } catch (error) {
        throw toListError(error, source)
      }
    },
    close: () => pool.close(),
  }
}

/** Any other error is returned as it is. */
function toListError(error: unknown, source: string): unknown {
  const failure = error instanceof WorkerError ? error.failure : undefined
  if (failure === 'timeout' || failure === 'memory')
    return new Error(`${source} cannot be read: it is too large. Split the list.`, { cause: error })
  return failure ? busyError('The service could not read the sitemap', { cause: error }) : error
}
