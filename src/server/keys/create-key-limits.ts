import { LRUCache } from 'lru-cache'
import { PageError } from '../../query/index.js'
import { createCounts, type Refund, type Work } from '../budget/index.js'
import type { ApiKeyRecord, ApiKeyStore } from '../store/index.js'
import { DAY_MS, utcDay } from '../utc-day.js'

/** What one request of an API key uses of the limits of the key. */
interface KeyUse {
  /**
   * Counts uncached work that the request starts.
   *
   * @throws  {PageError} `ERATE` beyond the daily limit or the concurrency of the key.
   */
  consume(work: Work): Promise<Refund>
  /** Call when the response is ready. */
  end(): void
}

/**
 * Work that the concurrency of a key does not limit: a revalidation runs in the background, and a page loads the variants of many
 * images at once, whose queue takes turns between clients anyway.
 */
const WITHOUT_CONCURRENCY: readonly Work[] = ['revalidation', 'variant']
const BUSY_RETRY_MS = 1_000
const MAX_KEYS = 10_000

/** Counts the uncached work of API keys per day (UTC), and what runs at the same time on this instance. */
export function createKeyLimits({ apiKeys, clock }: { apiKeys: Pick<ApiKeyStore, 'countUsage'>; clock: () => number }) {
  const running = createCounts()
  const lastSums = new LRUCache<string, number>({ max: MAX_KEYS })

  /** If the count cannot be stored, this instance goes on from the last sum that it knows. */
  async function count(id: string, day: string, change: number): Promise<number> {
    const name = `${day} ${id}`
    const sum = await apiKeys.countUsage(id, day, change).catch(() => (lastSums.get(name) ?? 0) + change)
    lastSums.set(name, sum)
    return sum
  }

  function start({ id, concurrency }: ApiKeyRecord): void {
    if (concurrency !== undefined && running.count(id) >= concurrency)
      throw new PageError(
        'ERATE',
        `This API key may have ${concurrency} uncached requests running at the same time. Try again when one of them has ended.`,
        { retryAfterMs: BUSY_RETRY_MS },
      )
    running.add(id)
  }

  return {
    use(key: ApiKeyRecord): KeyUse {
      let hasStarted = false
      let hasEnded = false
      return {
        async consume(work) {
          // A request that has ended may have work in a queue, which another request has joined.
          if (!hasStarted && !hasEnded && !WITHOUT_CONCURRENCY.includes(work)) {
            start(key)
            hasStarted = true
          }
          const now = clock()
          const day = utcDay(now)
          const { id, dailyLimit } = key
          const refund = async () => void (await count(id, day, -1))
          if ((await count(id, day, 1)) <= (dailyLimit ?? Infinity)) return refund
          await refund()
          throw new PageError(
            'ERATE',
            `This API key has reached its daily limit of ${dailyLimit} uncached requests; it resets at 00:00 UTC. Cached pages are still served.`,
            { retryAfterMs: DAY_MS - (now % DAY_MS) },
          )
        },
        end() {
          if (hasStarted && !hasEnded) running.remove(key.id)
          hasEnded = true
        },
      }
    },
  }
}
