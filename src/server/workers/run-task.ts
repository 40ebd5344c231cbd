import type { Transferable, Worker } from 'node:worker_threads'
import type { TaskReply } from './handle-tasks.js'
import { nextMessage } from './next-message.js'

export interface TaskOptions {
  /** Its reason rejects the task. */
  signal: AbortSignal
  timeoutMs: number
  /** Buffers of the task that are moved instead of copied. */
  transfer?: readonly Transferable[] | undefined
}

/**
 * Sends one task to a worker that is ready, and waits for its reply, which may be an error of the task. After a rejection the
 * worker is busy or gone.
 *
 * @throws  {WorkerError} `timeout`, `memory`, `crash`; an aborted `signal` throws its own reason.
 */
export async function runTask<Result>(
  worker: Worker,
  task: unknown,
  { signal, timeoutMs, transfer = [] }: TaskOptions,
): Promise<TaskReply<Result>> {
  worker.postMessage(task, transfer)
  return nextMessage<TaskReply<Result>>(worker, { signal, timeoutMs, lateFailure: 'timeout' })
}
