import { LRUCache } from 'lru-cache'
import { DAY_MS } from '../../utc-day.js'
import { parseApiKey, type ApiKeyRecord, type ApiKeyStore } from '../api-keys.js'
import type { RequestCounters } from '../store-parts.js'
import { isRedisFull, redisKey, transactionResults, type RedisConnection } from './redis-connection.js'

const API_KEYS = redisKey('keys')
/** Longer than the usage is listed. */
const USAGE_TTL_MS = 32 * DAY_MS
/** Longer than a day, so that no counter expires while an instance whose clock is behind still uses it. */
const COUNTER_TTL_MS = 2 * DAY_MS
const MAX_CLIENTS = 10_000

/** Compares the record, because another instance may have changed it since it was read. */
const REPLACE_KEY = `if (redis.call('hget', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return 0 end
redis.call('hset', KEYS[1], ARGV[1], ARGV[3])
return 1`

const usageKey = (id: string, day: string) => redisKey('usage', day, id)
const counterKey = (day: string, client: string) => redisKey('count', day, client)

/**
 * The API keys in Redis. They are never cached, so a revoked key is refused by all instances at once; while Redis is
 * unreachable no key is accepted.
 */
export function createRedisApiKeys(connection: RedisConnection): ApiKeyStore {
  async function orDeleteRevoked<Result>(key: ApiKeyRecord, write: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await write()
    } catch (error) {
      if (key.revokedAt === undefined || !isRedisFull(error)) throw error
      // Deleting is accepted by a full Redis too, and an unknown key is refused as well.
      await connection.run((redis) => redis.hdel(API_KEYS, key.id))
      return undefined
    }
  }

  return {
    async writeKey(key) {
      await orDeleteRevoked(key, () => connection.run((redis) => redis.hset(API_KEYS, key.id, JSON.stringify(key))))
    },
    async changeKey(id, change) {
      for (;;) {
        const stored = (await connection.run((redis) => redis.hget(API_KEYS, id))) ?? ''
        const key = change(parseApiKey(stored))
        if (!key) return undefined
        const row = JSON.stringify(key)
        const replaced = await orDeleteRevoked(key, () =>
          connection.run((redis) => redis.eval(REPLACE_KEY, 1, API_KEYS, id, stored, row)),
        )
        if (replaced !== 0) return key
      }
    },
    async readKey(id) {
      const text = await connection.run((redis) => redis.hget(API_KEYS, id))
      return text ? parseApiKey(text) : undefined
    },
    async listKeys() {
      const texts = await connection.run((redis) => redis.hvals(API_KEYS))
      return texts.flatMap((text) => parseApiKey(text) ?? []).toSorted((a, b) => a.createdAt - b.createdAt)
    },
    countUsage: (id, day, count = 1) => addTo(connection, usageKey(id, day), count, USAGE_TTL_MS),
    async readUsage(id, days) {
      const sums = await connection.run((redis) => redis.mget(days.map((day) => usageKey(id, day))))
      return sums.map((sum) => Number(sum ?? 0))
    },
  }
}

/**
 * The request counters in Redis, one sum for all instances. While Redis is unreachable, each instance goes on counting from
 * the last sum that it knows.
 */
export function createRedisCounters(
  connection: RedisConnection,
  onError: (error: unknown) => void,
): RequestCounters & { flush(): Promise<void> } {
  const lastSums = new LRUCache<string, number>({ max: MAX_CLIENTS })
  const unsent = new LRUCache<string, number>({ max: MAX_CLIENTS })
  const increase = (counts: LRUCache<string, number>, key: string, count = 1): number => {
    const sum = (counts.get(key) ?? 0) + count
    counts.set(key, sum)
    return sum
  }

  const add = (key: string, count: number) => addTo(connection, key, count, COUNTER_TTL_MS)

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

    /** Adds to Redis what this instance counted while Redis was unreachable. */
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

/** @returns  The sum. */
const addTo = (connection: RedisConnection, key: string, count: number, ttlMs: number): Promise<number> =>
  connection.run(async (redis) => {
    const [sum] = transactionResults(await redis.multi().incrby(key, count).pexpire(key, ttlMs).exec())
    return Number(sum)
  })
