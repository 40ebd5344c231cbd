import { parentPort } from 'node:worker_threads'

/** What a worker posts for each task. */
export type TaskReply<Result> = { result: Result } | { error: unknown }

/**
 * Runs in the entry of a worker: posts that it is ready, and replies to each task of the pool with the result of `run`, or with
 * its error.
 */
export function handleTasks(run: (task: never) => unknown): void {
  parentPort?.on('message', (task: unknown) => void reply(task as never, run))
  parentPort?.postMessage('ready', [])
}

async function reply(task: never, run: (task: never) => unknown): Promise<void> {
  let message: TaskReply<unknown>
  try {
    message = { result: await run(task) }
  } catch (error) {
    message = { error }
  }
  parentPort?.postMessage(message, [])
}
