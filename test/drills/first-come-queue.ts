import type { PageQueue, PageQueueOptions } from '../../src/server/browser/create-page-queue.js'

/** A queue that knows neither clients nor hosts nor priority: whoever came first is next. */
export function createFirstComeQueue({ concurrency }: PageQueueOptions): PageQueue {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    async run(_, work, signal) {
      if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve))
      else running++
      try {
        signal.throwIfAborted()
        return await work({ isContended: () => false })
      } finally {
        // Whoever is next takes the place over.
        const next = waiting.shift()
        if (next) next()
        else running--
      }
    },
    length: () => waiting.length,
    running: () => running,
    slots: concurrency,
  }
}
