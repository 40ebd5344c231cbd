import { isPageError } from '../../../query/index.js'
import type { ResultStore } from '../store-parts.js'
import type { ImageName } from '../stored-image.js'
import { connectRedis, type RedisConfig } from './redis-connection.js'
import { createRedisApiKeys, createRedisCounters } from './redis-keys.js'
import { createRedisLocks, createRedisUploadLeases } from './redis-leases.js'
import { createRedisPurgeLog, createRedisResults, PURGE_WAIT_MS } from './redis-results.js'

/**
 * Connects to the Redis whose entries, counters and keys all instances share. An entry goes when it expires, or when Redis
 * evicts it (`maxmemory`). Everything in Redis but the API keys expires.
 *
 * While Redis is unreachable, entries come from the memory of this instance, it counts requests alone, no API key is
 * accepted (`EBUSY`). It connects also while Redis is unreachable.
 *
 * @param options.keyPrefix       Prefix of each key, followed by a colon.
 * @param options.backingStore    Stores the images, and the names of the entries that need them: the bucket, or this machine.
 * @param options.pendingUploads  Images that are on this machine alone, and are uploaded later.
 * @param options.onError         Receives errors of background work, which reach no caller.
 * @returns  What takes the place of the local parts.
 * @throws  Error with a sentence for the operator when Redis rejects the login or writes.
 */
export async function openRedisParts(
  config: RedisConfig,
  {
    keyPrefix,
    backingStore,
    pendingUploads,
    clock,
    onEvent,
    ...options
  }: {
    keyPrefix: string
    backingStore: ResultStore
    pendingUploads: () => ReadonlySet<ImageName>
    clock: () => number
    onEvent: (event: 'redis-unreachable' | 'redis-recovered', error?: Error) => void
    onError: (error: unknown) => void
  },
) {
  // An unreachable Redis is reported once as an event, and not with every command that fails.
  const onError = (error: unknown) => (isPageError(error) ? undefined : options.onError(error))
  const connecting = { option: '--redis', keyPrefix, mayBeUnreachable: true } as const
  let counters: ReturnType<typeof createRedisCounters> | undefined
  const connection = await connectRedis(config, {
    ...connecting,
    onDisconnect: (error) => onEvent('redis-unreachable', error),
    onReconnect() {
      onEvent('redis-recovered')
      // It may be reachable only now, while the second connection is made.
      counters?.flush().catch(onError)
    },
  })
  // The first connection reports what happens to Redis.
  const listening = await connectRedis(config, {
    ...connecting,
    mayBeFull: true,
    commandTimeoutMs: 2 * PURGE_WAIT_MS,
    onDisconnect: () => undefined,
    onReconnect: () => undefined,
  }).catch((error: unknown) => {
    connection.close()
    throw error
  })
  counters = createRedisCounters(connection, onError)
  const leases = createRedisUploadLeases(connection, { pending: pendingUploads, onError })
  return {
    ...createRedisResults(connection, { backingStore, leases, clock, onError }),
    counters,
    apiKeys: createRedisApiKeys(connection),
    purgeLog: createRedisPurgeLog(connection, listening),
    locks: createRedisLocks(connection, onError),
    connection,
    async close() {
      leases.close()
      connection.close()
      listening.close()
    },
  }
}
