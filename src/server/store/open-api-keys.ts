import { ensureDataDir } from './ensure-data-dir.js'
import { openLocalStore } from './local/open-local-store.js'
import { parseOptionUrl } from './parse-option-url.js'
import { openRedisApiKeys, type RedisApiKeysOptions } from './redis/open-redis-api-keys.js'
import { parseRedisUrl } from './redis/parse-redis-url.js'
import type { ApiKeyStore } from './store.js'

/** API keys without the rest of a store. */
export interface OpenedApiKeys {
  /** For messages: a folder, or the URL of a Redis without user name and password. */
  location: string
  /** The folder that they are in; `undefined` when they are in Redis. */
  dataDir: string | undefined
  apiKeys: ApiKeyStore
  close(): Promise<void>
}

export const isRedisUrl = (location: string): boolean => /^rediss?:/i.test(location)

/**
 * Opens API keys in a Redis or in a folder, which is created when it is missing.
 *
 * @param location  `redis://…`, `rediss://…` or, with `--keys`, a path. Default: the default folder of `serve`.
 * @throws          Error with a sentence for the operator when it cannot be used.
 */
export async function openApiKeys(location: string | undefined, options: RedisApiKeysOptions): Promise<OpenedApiKeys> {
  if (location !== undefined && (options.option === '--redis' || isRedisUrl(location))) {
    const config = parseOptionUrl(options.option, () => parseRedisUrl(location))
    const opened = await openRedisApiKeys(config, options)
    const { apiKeys } = opened
    return { location: config.displayUrl, dataDir: undefined, apiKeys, close: async () => opened.close() }
  }
  const dataDir = await ensureDataDir(location)
  // Without a limit, because opening a store evicts what exceeds it, and only the service knows its limit.
  const store = await openLocalStore({ dataDir, maxBytes: Infinity })
  return { location: dataDir, dataDir, apiKeys: store, close: () => store.close() }
}
