import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Transferable, Worker } from 'node:worker_threads'
import type { TaskReply } from './handle-tasks.js'
import { WorkerError } from './worker-error.js'

export interface TaskOptions {
  /** Its reason rejects the task. */
  signal: AbortSignal
  timeoutMs: number
  /** Buffers of the task that are moved instead of copied. */
  transfer?: readonly Transferable[] | undefined
}

/**
 * Sends one task to a worker and waits for its reply, which may be an error of the task. After a rejection the worker is busy or gone.
 *
 * @throws  {WorkerError} `timeout`, `memory`, `crash`; an aborted `signal` throws its own reason.
 */
export async function runTask<Result>(
  worker: Worker,
  task: unknown,
  { signal, timeoutMs, transfer = [] }: TaskOptions,
): Promise<TaskReply<Result>> {
  const finished = new AbortController()
  const waiting = { signal: AbortSignal.any([signal, finished.signal]) }
  try {
    worker.postMessage(task, transfer)
    const replied = once(worker, 'message', waiting) as Promise<[TaskReply<Result>]>
    const exited = once(worker, 'exit', waiting).then(([code]) => `exit code ${code}`)
    const timedOut = delay(timeoutMs, 'timeout' as const, waiting)
    const outcome = await Promise.race([replied, exited, timedOut])
    if (outcome === 'timeout') throw new WorkerError('timeout')
    if (typeof outcome === 'string') throw new Error(outcome)
    return outcome[0]
  } catch (cause) {
    signal.throwIfAborted()
    throw toWorkerError(cause)
  } finally {
    finished.abort()
  }
}

function toWorkerError(cause: unknown): WorkerError {
  if (cause instanceof WorkerError) return cause
  const isOutOfMemory = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return new WorkerError(isOutOfMemory ? 'memory' : 'crash', { cause })
}
