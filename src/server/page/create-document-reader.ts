import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { PageError } from '../../query/index.js'
import { createFairQueue } from '../budget/index.js'
import { busyError } from '../busy-error.js'
import { createWorkerPool, isBuilt, startThread, WorkerError } from '../worker-pool.js'
import type { DocumentReading, DocumentTask } from './read-document.js'

/** Reads untrusted documents without blocking the main thread. */
export interface DocumentReader {
  /**
   * @throws {PageError} `ETIMEOUT` after 3 seconds of reading, `ETOOLARGE` for a document that needs too much memory, `EBUSY` when
   *         too many documents wait or the worker does not start. An aborted `signal` throws its own reason.
   */
  read(task: DocumentTask, options: { client: string; signal: AbortSignal }): Promise<DocumentReading>
  close(): Promise<void>
}

const MAX_WORKERS = 4
/** Workers in addition, for clients that use none. */
const RESERVE = 1
const MAX_WAITING = 200
const MAX_WAITING_PER_CLIENT = 100
const TIMEOUT_MS = 3_000
const MAX_HEAP_MB = 96

export function createDocumentReader(): DocumentReader {
  if (!isBuilt) return mainThreadReader
  // Two at least, so that one slow document does not stop all others.
  const concurrency = Math.min(MAX_WORKERS, Math.max(2, availableParallelism()))
  const pool = createWorkerPool<DocumentTask, DocumentReading>({
    start: () => startThread(join(import.meta.dirname, 'document-worker.js'), { maxHeapMb: MAX_HEAP_MB }),
    size: concurrency + RESERVE,
    queue: createFairQueue({
      concurrency,
      reserve: RESERVE,
      maxWaiting: MAX_WAITING,
      maxWaitingPerClient: MAX_WAITING_PER_CLIENT,
      fullError: () => busyError('Too many pages are being read'),
    }),
    timeoutMs: TIMEOUT_MS,
  })
  return {
    async read(task, options) {
      try {
        return await pool.run(task, options)
      } catch (error) {
        throw toPageError(error, task)
      }
    },
    close: () => pool.close(),
  }
}

const mainThreadReader: DocumentReader = {
  async read(task, { signal }) {
    const { readDocument } = await import('./read-document.js')
    signal.throwIfAborted()
    return readDocument(task)
  },
  async close() {},
}

/** Any other error is returned as it is. */
function toPageError(error: unknown, { url }: DocumentTask): unknown {
  const fail = (code: 'ETIMEOUT' | 'ETOOLARGE', problem: string) =>
    new PageError(code, `The HTML of ${new URL(url).host} ${problem}.`, {
      data: { url: `its HTML ${problem}` },
      cause: error,
    })
  const failure = error instanceof WorkerError ? error.failure : undefined
  if (failure === 'start') return busyError('The service could not start to read the page in time', { cause: error })
  if (failure === 'closed') return busyError('The service is shutting down', { cause: error })
  if (failure === 'timeout') return fail('ETIMEOUT', `took longer than ${TIMEOUT_MS / 1_000} s to parse`)
  // Deep recursion exhausts the stack.
  const isTooLarge = failure === 'memory' || error instanceof RangeError
  return isTooLarge ? fail('ETOOLARGE', 'needs too much memory to parse') : error
}
