import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { hasErrorCode } from '../node-errors/index.js'
import { WorkerError, type WorkerFailure } from './worker-error.js'

export interface NextMessageOptions {
  /** Its reason rejects the message. */
  signal: AbortSignal
  timeoutMs: number
  /** The message of the error when no message arrives in time. */
  lateFailure: WorkerFailure
}

/**
 * Waits for the next message of a worker. After a rejection the worker is busy or gone.
 *
 * @throws  {WorkerError} `lateFailure`, `memory`, `crash`; an aborted `signal` throws its own reason.
 */
export async function nextMessage<Message>(
  worker: Worker,
  { signal, timeoutMs, lateFailure }: NextMessageOptions,
): Promise<Message> {
  const finished = new AbortController()
  const waiting = { signal: AbortSignal.any([signal, finished.signal]) }
  try {
    const sent = once(worker, 'message', waiting) as Promise<[Message]>
    const exited = once(worker, 'exit', waiting).then(([code]) => `exit code ${code}`)
    const timedOut = delay(timeoutMs, 'timeout' as const, waiting)
    const outcome = await Promise.race([sent, exited, timedOut])
    if (outcome === 'timeout') throw new WorkerError(lateFailure)
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
  const isOutOfMemory = hasErrorCode(cause, 'ERR_WORKER_OUT_OF_MEMORY')
  return new WorkerError(isOutOfMemory ? 'memory' : 'crash', { cause })
}
