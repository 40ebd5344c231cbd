import { parseOptionUrl } from '../parse-option-url.js'
import type { ApiKeyStore } from '../store.js'
import { connectRedis } from './connect-redis.js'
import { parseRedisUrl } from './parse-redis-url.js'
import { createRedisApiKeys } from './redis-api-keys.js'

/** The API keys of a Redis, without the rest of its store. */
export interface RedisApiKeys {
  /** For messages: the URL without user name and password. */
  displayUrl: string
  apiKeys: ApiKeyStore
  close(): void
}

/**
 * Opens the API keys in a Redis.
 *
 * @throws  Error with a sentence for the operator when the URL is invalid or the Redis cannot be used.
 */
export async function openRedisApiKeys(url: string, keyPrefix?: string): Promise<RedisApiKeys> {
  const config = parseOptionUrl('--redis', () => parseRedisUrl(url))
  const ignore = () => undefined
  const connection = await connectRedis(config, { keyPrefix, onDisconnect: ignore, onReconnect: ignore })
  return {
    displayUrl: config.displayUrl,
    apiKeys: createRedisApiKeys(connection),
    close: () => connection.close(),
  }
}
