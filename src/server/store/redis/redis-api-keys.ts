import { parseApiKey, type ApiKeyStore } from '../api-keys.js'
import { isRedisFull, redisKey, transactionResults, type RedisConnection } from './redis-connection.js'

const API_KEYS = redisKey('keys')
/** Longer than the usage is listed. */
const USAGE_TTL_MS = 32 * 86_400_000

const usageKey = (id: string, day: string) => redisKey('usage', day, id)

/**
 * The API keys in Redis. They are never cached, so a revoked key is refused by all instances at once; while Redis is
 * unreachable no key is accepted.
 */
export function createRedisApiKeys(connection: RedisConnection): ApiKeyStore {
  return {
    async writeKey(key) {
      try {
        await connection.run((redis) => redis.hset(API_KEYS, key.id, JSON.stringify(key)))
      } catch (error) {
        if (key.revokedAt === undefined || !isRedisFull(error)) throw error
        // Deleting is accepted by a full Redis too, and an unknown key is refused as well.
        await connection.run((redis) => redis.hdel(API_KEYS, key.id))
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
    async countUsage(id, day, count = 1) {
      const key = usageKey(id, day)
      return connection.run(async (redis) => {
        const [sum] = transactionResults(await redis.multi().incrby(key, count).pexpire(key, USAGE_TTL_MS).exec())
        return Number(sum)
      })
    },
    async readUsage(id, days) {
      const sums = await connection.run((redis) => redis.mget(days.map((day) => usageKey(id, day))))
      return sums.map((sum) => Number(sum ?? 0))
    },
  }
}
