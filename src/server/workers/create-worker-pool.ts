import { Worker, type Transferable } from 'node:worker_threads'
import { createFairQueue } from '../budget/index.js'
import { nextMessage } from './next-message.js'
import { runTask } from './run-task.js'
import { WorkerError } from './worker-error.js'

/** Runs tasks outside the main thread; a task that does not end in time, or whose caller is aborted, ends its worker. */
export interface WorkerPool<Task, Result> {
  /** @throws {WorkerError} `busy`, `start`, `timeout`, `memory`, `crash`; an aborted `signal` throws its own reason. */
  run(task: Task, options: RunOptions): Promise<Result>
  /** Terminates all workers; their tasks fail. */
  close(): Promise<void>
}

export interface RunOptions {
  /** The client that the task is for. */
  client: string
  signal: AbortSignal
  /** Buffers of the task that are moved instead of copied. */
  transfer?: readonly Transferable[] | undefined
}

export interface WorkerPoolOptions {
  /** Path of the worker's entry, a JavaScript file that calls `handleTasks`. */
  file: string
  /** Workers that run at the same time; they are started beforehand, because a start takes longer than most tasks. */
  size: number
  /** How many of these are for clients that have no other. Default: 0. */
  reserve?: number
  /** Tasks that may wait; a further one fails with `busy`. */
  maxWaiting: number
  /** Tasks of one client that may wait. Default: `maxWaiting`. */
  maxWaitingPerClient?: number
  /** Time limit of one task, once it has left the queue and its worker is ready. */
  timeoutMs: number
  /** Time limit of the start of a worker that a task waits for. Default: 15 seconds. */
  startTimeoutMs?: number
  /** Largest JavaScript heap of each worker; buffers and native memory do not count. */
  maxHeapMb: number
}

/** On a busy machine a worker takes seconds to load its modules. */
const START_TIMEOUT_MS = 15_000

export function createWorkerPool<Task, Result>(options: WorkerPoolOptions): WorkerPool<Task, Result> {
  const { file, size, reserve = 0, timeoutMs, startTimeoutMs = START_TIMEOUT_MS, maxHeapMb, ...limits } = options
  const concurrency = size - reserve
  const queue = createFairQueue({ concurrency, reserve, ...limits, fullError: () => new WorkerError('busy') })
  const workers = new Set<Worker>()
  const starting = new Set<Worker>()
  const idle: Worker[] = []
  let isClosed = false

  const start = () => {
    const worker = new Worker(file, {
      // The environment of the service contains secrets, and the options of its `node` may not be allowed in a worker.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    })
    workers.add(worker)
    starting.add(worker)
    // Its first message says that it is ready.
    worker.once('message', () => starting.delete(worker))
    // An error without a listener would end the process; the task that caused it has a listener of its own.
    worker.on('error', () => undefined)
    // Only a task keeps the process running, an idle worker does not.
    worker.unref()
    worker.once('exit', () => {
      workers.delete(worker)
      starting.delete(worker)
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1)
    })
    return worker
  }
  const runNow = async (task: Task, { signal, transfer }: Omit<RunOptions, 'client'>) => {
    const worker = idle.pop() ?? start()
    worker.ref()
    try {
      if (starting.has(worker)) await nextMessage(worker, { signal, timeoutMs: startTimeoutMs, lateFailure: 'start' })
      const reply = await runTask<Result>(worker, task, { signal, timeoutMs, transfer })
      worker.unref()
      idle.push(worker)
      return reply
    } catch (error) {
      await worker.terminate()
      // Before the others, because the last one is taken first, and these are ready.
      if (!isClosed) idle.unshift(start())
      throw error
    }
  }
  for (let count = 0; count < size; count++) idle.push(start())

  return {
    async run(task, { client, ...runOptions }) {
      const reply = await queue.run({ client }, () => runNow(task, runOptions), runOptions.signal)
      if ('error' in reply) throw new WorkerError('crash', { cause: reply.error })
      return reply.result
    },
    async close() {
      isClosed = true
      idle.length = 0
      await Promise.all([...workers].map((worker) => worker.terminate()))
    },
  }
}
