import type { ApiKeyRecord, Store } from '../store.js'
import { PREFIX, type RedisLink } from './connect-redis.js'

/** What is kept of keys. */
export type ApiKeyStore = Pick<Store, 'writeKey' | 'readKey' | 'listKeys'>

const KEYS_ROW = `${PREFIX}keys`

/**
 * The keys of the pro host in Redis. They are read there each time and nowhere else: a revoked key is refused by all
 * instances at once, and while Redis is out of reach no key is good.
 */
export function createRedisKeys(link: RedisLink): ApiKeyStore {
  return {
    async writeKey(key) {
      await link.run((redis) => redis.hset(KEYS_ROW, key.id, JSON.stringify(key)))
    },
    async readKey(id) {
      const text = await link.run((redis) => redis.hget(KEYS_ROW, id))
      return text ? (JSON.parse(text) as ApiKeyRecord) : undefined
    },
    async listKeys() {
      const texts = await link.run((redis) => redis.hvals(KEYS_ROW))
      return texts.map((text) => JSON.parse(text) as ApiKeyRecord).toSorted((a, b) => a.createdAt - b.createdAt)
    },
  }
}
