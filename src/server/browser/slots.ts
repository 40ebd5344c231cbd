import { PageError } from '../../query/index.js'

/** A bounded number of places, and a bounded queue before them. */
export interface Slots {
  /**
   * Waits for a place.
   *
   * @returns  What gives the place back; calling it again does nothing.
   * @throws   {PageError} `EBUSY` at once when the queue is full; an aborted `signal` throws its own reason and leaves the queue.
   */
  take(signal: AbortSignal): Promise<() => void>
  /** Who waits for a place right now. */
  waiting(): number
}

export interface SlotsOptions {
  /** Places. */
  concurrency: number
  /** Who may wait for one. */
  queue: number
}

/** Until it is known how long one takes. */
const FIRST_GUESS_MS = 1_000

export function createSlots({ concurrency, queue }: SlotsOptions): Slots {
  const waiting = new Set<() => void>()
  let taken = 0
  let usualMs = FIRST_GUESS_MS

  const occupy = () => {
    const since = performance.now()
    let isFree = false
    taken++
    return () => {
      if (isFree) return
      isFree = true
      taken--
      usualMs += (performance.now() - since - usualMs) / 8
      const [next] = waiting
      next?.()
    }
  }

  return {
    waiting: () => waiting.size,
    async take(signal) {
      signal.throwIfAborted()
      if (taken < concurrency) return occupy()
      if (waiting.size >= queue) throw busy(Math.ceil((usualMs * (waiting.size + 1)) / concurrency))
      return new Promise((resolve, reject) => {
        const leave = () => {
          waiting.delete(enter)
          signal.removeEventListener('abort', giveUp)
        }
        const enter = () => {
          leave()
          resolve(occupy())
        }
        const giveUp = () => {
          leave()
          reject(signal.reason)
        }
        waiting.add(enter)
        signal.addEventListener('abort', giveUp, { once: true })
      })
    },
  }
}

function busy(waitMs: number): PageError {
  const retryAfterMs = Math.min(Math.max(waitMs, 1_000), 60_000)
  return new PageError(
    'EBUSY',
    `Too many pages wait for a picture. Ask again in ${Math.ceil(retryAfterMs / 1_000)} seconds.`,
    { retryAfterMs },
  )
}
