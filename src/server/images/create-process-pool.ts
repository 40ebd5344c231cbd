import { PageError } from '../../query/index.js'
import { createFairQueue, type TaskScheduling } from '../budget/index.js'
import { followSignals } from '../jobs/index.js'
import { startImageProcess, type ImageInput, type ImageProcess, type ImageRequest } from './start-image-process.js'
import type { ImageTasks } from './tasks/index.js'

export interface ProcessPoolOptions {
  /** Processes that run at the same time. */
  size: number
  /** How many of these are for clients that have no other. Default: 0. */
  reserve?: number
  /** Tasks that may wait; a further one fails with `EBUSY`. */
  maxWaiting: number
  /** Tasks of one client that may wait. Default: `maxWaiting`. */
  maxWaitingPerClient?: number
  /** The time limit of one task, without the start of its process. */
  timeoutMs: number
  /** The memory limit of one process. */
  maxRssBytes: number
  /** The user that runs the processes. Default: that of the service. */
  user?: { uid: number; gid: number } | undefined
}

/** Child processes that are started when they are needed, and end when they have been idle for a minute. */
export interface ProcessPool {
  /**
   * Runs a task in a process of its own until it is done.
   *
   * @throws  {PageError} `EBUSY`, `ETIMEOUT`, `ETOOLARGE`, `EFATAL`; {Error} of the decoder. An aborted `signal` throws its reason.
   */
  run<Name extends keyof ImageTasks>(
    task: Name,
    args: Parameters<ImageTasks[Name]>,
    options: RunOptions,
  ): Promise<Awaited<ReturnType<ImageTasks[Name]>>>
  /** Starts a process, unless one is idle. */
  warm(): void
  /** Ends all processes, and fails their tasks. */
  close(): Promise<void>
}

/** `client`: that which the task is for. */
export interface RunOptions extends Pick<TaskScheduling, 'client' | 'turns'> {
  /** Aborting it ends the process. */
  signal: AbortSignal
  /** Images: the tiles of a screenshot, which the first argument lacks, or what replaces the first arguments. */
  inputs?: readonly ImageInput[]
}

/** In addition to the time of the task: on a busy machine a process takes seconds to load its modules. */
const START_TIMEOUT_MS = 15_000
const IDLE_MS = 60_000
const BUSY_RETRY_MS = 2_000

export function createProcessPool({
  size,
  reserve = 0,
  timeoutMs,
  maxRssBytes,
  user,
  ...limits
}: ProcessPoolOptions): ProcessPool {
  const queue = createFairQueue({ concurrency: size - reserve, reserve, ...limits, fullError: busyError })
  const idle = new Map<ImageProcess, NodeJS.Timeout>()
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()

  const keep = (process: ImageProcess) => {
    const timer = setTimeout(() => {
      idle.delete(process)
      void process.end()
    }, IDLE_MS)
    idle.set(process, timer.unref())
  }
  const take = (): ImageProcess => {
    for (const [process, timer] of idle) {
      clearTimeout(timer)
      idle.delete(process)
      if (process.isRunning()) return process
    }
    return startImageProcess({ maxRssBytes, user })
  }

  const runNow = async (request: ImageRequest, signal: AbortSignal): Promise<unknown> => {
    const timeout = new AbortController()
    const limit = (ms: number) => setTimeout(() => timeout.abort(timeoutError(timeoutMs)), ms)
    const process = take()
    let timer = limit(START_TIMEOUT_MS + timeoutMs)
    const limitTask = async () => {
      await process.ready
      clearTimeout(timer)
      timer = limit(timeoutMs)
    }
    void limitTask()
    try {
      return await process.run(request, AbortSignal.any([signal, timeout.signal]))
    } finally {
      clearTimeout(timer)
      if (process.isRunning() && !closing.signal.aborted) keep(process)
    }
  }

  return {
    run(task, args, { client, turns, signal, inputs }) {
      const either = followSignals([signal, closing.signal])
      const result = queue.run({ client, turns }, () => runNow({ task, args, inputs }, either.signal), either.signal)
      running.add(result)
      const forget = () => {
        running.delete(result)
        either.release()
      }
      result.then(forget, forget)
      return result as Promise<Awaited<ReturnType<ImageTasks[typeof task]>>>
    },
    warm() {
      if (idle.size === 0 && queue.running() < size && !closing.signal.aborted)
        keep(startImageProcess({ maxRssBytes, user }))
    },
    async close() {
      closing.abort(new PageError('EBUSY', 'The service is shutting down. Try again shortly.', { retryAfterMs: 1_000 }))
      const processes = [...idle.keys()]
      for (const timer of idle.values()) clearTimeout(timer)
      idle.clear()
      await Promise.allSettled([...running, ...processes.map((process) => process.end())])
    },
  }
}

const busyError = () =>
  new PageError('EBUSY', 'Too many images are waiting to be read or encoded; retry in a few seconds.', {
    retryAfterMs: BUSY_RETRY_MS,
  })

const timeoutError = (timeoutMs: number) =>
  new PageError('ETIMEOUT', `The image was not ready within ${timeoutMs / 1_000} seconds. Request a smaller one.`)
