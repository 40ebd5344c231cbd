import { LRUCache } from 'lru-cache'
import { PageError } from '../../query/index.js'

/** Counts in windows, which start with the first event of each name. */
export interface RateLimit {
  /**
   * @param factor  The limit counts so many times. Default: once.
   * @throws        {PageError} `ERATE`
   */
  count(name: string, factor?: number): void
}

const MAX_NAMES = 20_000

export function createRateLimit({
  limit,
  windowMs,
  clock,
}: {
  limit: number
  windowMs: number
  clock: () => number
}): RateLimit {
  const windows = new LRUCache<string, { count: number; endsAt: number }>({ max: MAX_NAMES })
  return {
    count(name, factor = 1) {
      const known = windows.get(name)
      const now = clock()
      const window = known && now < known.endsAt ? known : { count: 0, endsAt: now + windowMs }
      if (window.count >= limit * factor)
        throw new PageError('ERATE', 'Too many requests for changes of pages. Try again later.', {
          retryAfterMs: window.endsAt - now,
        })
      windows.set(name, { ...window, count: window.count + 1 })
    },
  }
}
