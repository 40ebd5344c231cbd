/**
 * Why a task has no result: the queue was full, its worker did not start in time, it took too long or needed too much memory, or
 * its code failed.
 */
export type WorkerFailure = 'busy' | 'start' | 'timeout' | 'memory' | 'crash'

/** The error of a task that a worker did not finish; only `failure` is meant for the caller's decisions. */
export class WorkerError extends Error {
  override readonly name = 'WorkerError'
  readonly failure: WorkerFailure

  constructor(failure: WorkerFailure, options?: { cause?: unknown }) {
    super(SENTENCES[failure], options)
    this.failure = failure
  }
}

const SENTENCES: Readonly<Record<WorkerFailure, string>> = {
  busy: 'All workers are busy and their queue is full.',
  start: 'The worker was terminated, because it did not start in time.',
  timeout: 'The worker was terminated, because its task took too long.',
  memory: 'The worker was terminated, because its task needed too much memory.',
  crash: 'The worker failed.',
}
