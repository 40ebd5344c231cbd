import { parseApiKey } from '../parse-api-key.js'
import type { ApiKeyRecord, ApiKeyStore } from '../store.js'
import { isRedisFull, type RedisConnection } from './connect-redis.js'
import { redisKey } from './redis-key.js'

const API_KEYS = redisKey('keys')

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
      return text ? decode(text) : undefined
    },
    async listKeys() {
      const texts = await connection.run((redis) => redis.hvals(API_KEYS))
      return texts.flatMap((text) => decode(text) ?? []).toSorted((a, b) => a.createdAt - b.createdAt)
    },
  }
}

function decode(text: string): ApiKeyRecord | undefined {
  try {
    return parseApiKey(JSON.parse(text))
  } catch {
    return undefined
  }
}
