import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { createLogger, type LogLevel } from './log.js'
import { isBuilt } from './worker-pool.js'

/** Detects when the main thread is blocked for more than 2 seconds. */
export interface EventLoopWatch {
  /** How many times that happened. */
  blockCount(): number
  close(): Promise<void>
}

/** Memory that the main thread and the watchdog share. */
export interface WatchdogData {
  /** The main thread adds to `BEATS` while its event loop runs, the watchdog to `BLOCKS` when it does not. */
  counters: Int32Array<SharedArrayBuffer>
  logLevel: LogLevel
}

export const BEATS = 0
export const BLOCKS = 1
export const BEAT_INTERVAL_MS = 250

const MAX_HEAP_MB = 16

/** The watchdog is a separate thread, so that it can write to the log while the event loop of this one is blocked. */
export function watchEventLoop(logLevel: LogLevel): EventLoopWatch {
  if (!isBuilt) return { blockCount: () => 0, close: async () => undefined }
  const counters = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
  const workerData: WatchdogData = { counters, logLevel }
  const watchdog = new Worker(join(import.meta.dirname, 'event-loop-watchdog.js'), {
    env: {},
    execArgv: [],
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  // The service runs on without its watchdog.
  watchdog.on('error', (error) =>
    createLogger(logLevel).warn(
      { event: 'event-loop-watchdog-failed', error: String(error) },
      'a blocked event loop is no longer noticed until the service is restarted',
    ),
  )
  watchdog.unref()
  const beat = setInterval(() => Atomics.add(counters, BEATS, 1), BEAT_INTERVAL_MS).unref()
  return {
    blockCount: () => Atomics.load(counters, BLOCKS),
    async close() {
      clearInterval(beat)
      await watchdog.terminate()
    },
  }
}
