import { LRUCache } from 'lru-cache'
import type { Store } from '../store.js'
import { redisKey, transactionResults, type RedisConnection } from './redis-connection.js'

export interface RedisCounters extends Pick<Store, 'countRequest' | 'readCount'> {
  /** Adds to Redis what this instance counted while Redis was unreachable. */
  flush(): Promise<void>
}

const MAX_CLIENTS = 10_000
/** Longer than a day, so that no counter expires while an instance whose clock is behind still uses it. */
const COUNTER_TTL_MS = 2 * 86_400_000

const counterKey = (day: string, client: string) => redisKey('count', day, client)

/**
 * The request counters in Redis, one sum for all instances. While Redis is unreachable, each instance goes on counting from
 * the last sum that it knows.
 */
export function createRedisCounters(connection: RedisConnection, onError: (error: unknown) => void): RedisCounters {
  const lastSums = new LRUCache<string, number>({ max: MAX_CLIENTS })
  const unsent = new LRUCache<string, number>({ max: MAX_CLIENTS })
  const increase = (counts: LRUCache<string, number>, key: string, count = 1): number => {
    const sum = (counts.get(key) ?? 0) + count
    counts.set(key, sum)
    return sum
  }

  const add = (key: string, count: number) =>
    connection.run(async (redis) => {
      const [sum] = transactionResults(await redis.multi().incrby(key, count).pexpire(key, COUNTER_TTL_MS).exec())
      return Number(sum)
    })

  return {
    async countRequest(client, day, count = 1) {
      const key = counterKey(day, client)
      try {
        const sum = await add(key, count)
        lastSums.set(key, sum)
        return sum
      } catch (error) {
        onError(error)
        increase(unsent, key, count)
        return increase(lastSums, key, count)
      }
    },

    async readCount(client, day) {
      const key = counterKey(day, client)
      try {
        const sum = Number((await connection.run((redis) => redis.get(key))) ?? 0)
        lastSums.set(key, sum)
        return sum
      } catch (error) {
        onError(error)
        return lastSums.get(key) ?? 0
      }
    },

    async flush() {
      const keys = [...unsent.keys()]
      for (const key of keys) {
        const count = unsent.get(key) ?? 0
        unsent.delete(key)
        try {
          await add(key, count)
        } catch (error) {
          increase(unsent, key, count)
          throw error
        }
      }
    },
  }
}
