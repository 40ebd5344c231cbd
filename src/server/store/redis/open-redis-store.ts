import { isPageError } from '../../../query/index.js'
import { createDrainGate } from '../drain-gate.js'
import type { Store } from '../store.js'
import { connectRedis } from './connect-redis.js'
import type { RedisConfig } from './parse-redis-url.js'
import { createRedisApiKeys } from './redis-api-keys.js'
import { createRedisClaims } from './redis-claims.js'
import { createRedisCounters } from './redis-counters.js'
import { createRedisEntries } from './redis-entries.js'
import { createRedisPurges } from './redis-purges.js'
import { withRedisLock } from './redis-lock.js'
import { createRedisUploadLeases } from './redis-upload-leases.js'
import { createSharedResults } from './shared-results.js'

export interface RedisStoreOptions {
  /** Prefix of each key, followed by a colon. Default: `page-preview`. */
  keyPrefix?: string | undefined
  /** Stores the images, and is closed with this store. */
  images: Store
  /** Milliseconds since 1970. */
  clock: () => number
  onEvent: (event: 'redis-unreachable' | 'redis-recovered', error?: Error) => void
  /** Receives errors of background work, which reach no caller. */
  onError: (error: unknown) => void
}

/**
 * Opens a store whose entries, counters and keys are shared by all instances on the same Redis. An entry goes when it
 * expires, or when Redis evicts it (`maxmemory`). Everything in Redis but the API keys expires.
 *
 * While Redis is unreachable, entries come from the memory of this instance, it counts requests alone, no API key is
 * accepted (`EBUSY`).
 *
 * It opens also while Redis is unreachable.
 *
 * @throws  Error with a sentence for the operator when Redis rejects the login or writes.
 */
export async function openRedisStore(config: RedisConfig, options: RedisStoreOptions): Promise<Store> {
  const { images, clock, onEvent } = options
  // An unreachable Redis is reported once as an event, and not with every command that fails.
  const onError = (error: unknown) => (isPageError(error) ? undefined : options.onError(error))
  const connection = await connectRedis(config, {
    option: '--redis',
    keyPrefix: options.keyPrefix,
    mayBeUnreachable: true,
    onDisconnect: (error) => onEvent('redis-unreachable', error),
    onReconnect() {
      onEvent('redis-recovered')
      counters.flush().catch(onError)
    },
  })
  const entries = createRedisEntries(connection, { clock, onError })
  const counters = createRedisCounters(connection, { onError })
  const claims = createRedisClaims(connection, { onError })
  const keys = createRedisApiKeys(connection)
  const purges = createRedisPurges(connection)
  const leases = createRedisUploadLeases(connection, { pending: () => images.pendingUploads(), onError })
  const gate = createDrainGate(`The store at ${config.displayUrl}`)
  const results = createSharedResults({ images, entries, purges, leases })

  return {
    readEntry: <Body>(key: string) => gate.run(() => entries.read<Body>(key)),
    writeEntry: (key, entry) => gate.run(() => results.writeEntry(key, entry)),
    extendEntry: (key, life) => gate.run(() => results.extendEntry(key, life)),
    writeImage: (...image) => gate.run(() => images.writeImage(...image)),
    readImage: (name) => gate.run(() => results.readImage(name)),
    openImage: (name) => gate.run(() => results.openImage(name)),
    countRequest: (...request) => gate.run(() => counters.countRequest(...request)),
    readCount: (client, day) => gate.run(() => counters.readCount(client, day)),
    writeKey: (key) => gate.run(() => keys.writeKey(key)),
    readKey: (id) => gate.run(() => keys.readKey(id)),
    listKeys: () => gate.run(() => keys.listKeys()),
    countUsage: (...use) => gate.run(() => keys.countUsage(...use)),
    readUsage: (id, days) => gate.run(() => keys.readUsage(id, days)),
    addPurge: (purge) => gate.run(() => purges.addPurge(purge)),
    readPurges: (after) => gate.run(() => purges.readPurges(after)),
    findItems: (matches, scope) => gate.run(() => results.findItems(matches, scope)),
    deleteEntries: (ids, scope) => gate.run(() => results.deleteEntries(ids, scope)),
    deleteImages: (names, scope) => gate.run(() => results.deleteImages(names, scope)),
    usedBytes: () => gate.run(() => images.usedBytes()),
    async withLock(key, work, { signal }) {
      gate.assertOpen()
      return withRedisLock(connection, key, work, { signal, onError })
    },
    claim: (key, ttlMs) => gate.run(() => claims.claim(key, ttlMs)),
    unclaim: (key) => gate.run(() => claims.unclaim(key)),
    isWritable: () => images.isWritable(),
    isReady: async () => gate.isOpen() && (await images.isReady()),
    dependencies: () => ({ ...images.dependencies(), redis: connection.state() }),
    pendingUploads: () => images.pendingUploads(),
    checkDependencies: async () => void (await Promise.all([connection.check(), images.checkDependencies()])),
    close: () =>
      gate.close(async () => {
        leases.close()
        await images.close()
        connection.close()
      }),
  }
}
