import type { ApiKeyStore } from '../store.js'
import { connectRedis } from './connect-redis.js'
import type { RedisConfig } from './parse-redis-url.js'
import { createRedisApiKeys } from './redis-api-keys.js'

export interface RedisApiKeysOptions {
  /** The option that names the location of the keys, for messages. */
  option: '--keys' | '--redis'
  /** Prefix of each key, followed by a colon. Default: `page-preview`. */
  redisPrefix?: string | undefined
  /** Receives whether Redis can be reached, which then may be away at the start. Default: it has to respond. */
  onEvent?: (event: 'keys-unreachable' | 'keys-recovered', error?: Error) => void
}

/** The API keys of a Redis, without the rest of its store. */
export interface RedisApiKeys {
  apiKeys: ApiKeyStore
  close(): void
}

/**
 * Opens the API keys in a Redis, which may be full, because keys can be read and revoked then too.
 *
 * @throws  Error with a sentence for the operator when the Redis cannot be used.
 */
export async function openRedisApiKeys(
  config: RedisConfig,
  { option, redisPrefix, onEvent }: RedisApiKeysOptions,
): Promise<RedisApiKeys> {
  const connection = await connectRedis(config, {
    option,
    keyPrefix: redisPrefix,
    mayBeUnreachable: onEvent !== undefined,
    mayBeFull: true,
    onDisconnect: (error) => onEvent?.('keys-unreachable', error),
    onReconnect: () => onEvent?.('keys-recovered'),
  })
  return { apiKeys: createRedisApiKeys(connection), close: () => connection.close() }
}
