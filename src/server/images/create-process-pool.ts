import pLimit, { type LimitFunction } from 'p-limit'
import { PageError } from '../../query/index.js'
import { startImageProcess, type ImageProcess } from './start-image-process.js'
import type { ImageTasks } from './tasks/index.js'

export interface ProcessPoolOptions {
  /** Processes that run at the same time. */
  size: number
  /** The time limit of one task. */
  timeoutMs: number
  /** The memory limit of one process. */
  maxRssBytes: number
}

/** Child processes that are started when they are needed, and end when they have been idle for a minute. */
export interface ProcessPool {
  /**
   * Runs a task in a process of its own until it is done.
   *
   * @throws  {PageError} `ETIMEOUT`, `ETOOLARGE`, `EFATAL`; {Error} of the decoder. An aborted `signal` throws its reason.
   */
  run<Name extends keyof ImageTasks>(
    task: Name,
    args: Parameters<ImageTasks[Name]>,
    signal: AbortSignal,
  ): Promise<Awaited<ReturnType<ImageTasks[Name]>>>
  /** Starts a process, unless one is idle. */
  warm(): void
  /** Ends all processes, and fails their tasks. */
  close(): Promise<void>
}

const IDLE_MS = 60_000

export function createProcessPool({ size, timeoutMs, maxRssBytes }: ProcessPoolOptions): ProcessPool {
  const limit = pLimit(size)
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
    return startImageProcess({ maxRssBytes })
  }

  const runNow = async (task: keyof ImageTasks, args: readonly unknown[], signal: AbortSignal): Promise<unknown> => {
    signal.throwIfAborted()
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(timeoutError(timeoutMs)), timeoutMs)
    const process = take()
    try {
      return await process.run({ task, args }, AbortSignal.any([signal, timeout.signal]))
    } finally {
      clearTimeout(timer)
      if (process.isRunning() && !closing.signal.aborted) keep(process)
    }
  }

  return {
    run(task, args, signal) {
      const either = AbortSignal.any([signal, closing.signal])
      const result = runInTurn(limit, () => runNow(task, args, either), either)
      running.add(result)
      const forget = () => void running.delete(result)
      result.then(forget, forget)
      return result as Promise<Awaited<ReturnType<ImageTasks[typeof task]>>>
    },
    warm() {
      if (idle.size === 0 && limit.activeCount < size && !closing.signal.aborted)
        keep(startImageProcess({ maxRssBytes }))
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

/** Until its turn comes, a task that is aborted rejects at once. */
function runInTurn<Result>(limit: LimitFunction, work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    const start = () => {
      signal.removeEventListener('abort', onAbort)
      return work()
    }
    limit(start).then(resolve, reject)
  })
}

const timeoutError = (timeoutMs: number) =>
  new PageError('ETIMEOUT', `The image was not ready within ${timeoutMs / 1_000} seconds. Request a smaller one.`)
