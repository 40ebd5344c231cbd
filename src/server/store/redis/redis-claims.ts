import { digest } from '../digest.js'
import type { Store } from '../store.js'
import type { RedisConnection } from './connect-redis.js'
import { redisKey } from './redis-key.js'

const claimKey = (key: string) => redisKey('claim', digest(key))

/** Claims that all instances see. While Redis is unreachable, each instance decides alone. */
export function createRedisClaims(
  connection: RedisConnection,
  { onError }: { onError: (error: unknown) => void },
): Pick<Store, 'claim' | 'unclaim'> {
  return {
    async claim(key, ttlMs) {
      try {
        return (await connection.run((redis) => redis.set(claimKey(key), '1', 'PX', ttlMs, 'NX'))) !== null
      } catch (error) {
        onError(error)
        return true
      }
    },
    async unclaim(key) {
      await connection.run((redis) => redis.unlink(claimKey(key))).catch(onError)
    },
  }
}
