import { isPageError } from '../../../query/index.js'
import { createDrainGate } from '../drain-gate.js'
import type { Store } from '../store.js'
import type { ImageName } from '../stored-image.js'
import { createRedisApiKeys } from './redis-api-keys.js'
import { connectRedis, type RedisConfig } from './redis-connection.js'
import { createRedisCounters } from './redis-counters.js'
import { createRedisClaims, createRedisUploadLeases, withRedisLock } from './redis-leases.js'
import { createRedisEntries, createRedisPurgeLog } from './redis-results.js'

interface RedisStoreOptions {
  /** Prefix of each key, followed by a colon. */
  keyPrefix: string | undefined
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
  const { keyPrefix, images, clock, onEvent } = options
  // An unreachable Redis is reported once as an event, and not with every command that fails.
  const onError = (error: unknown) => (isPageError(error) ? undefined : options.onError(error))
  const connection = await connectRedis(config, {
    option: '--redis',
    keyPrefix,
    mayBeUnreachable: true,
    onDisconnect: (error) => onEvent('redis-unreachable', error),
    onReconnect() {
      onEvent('redis-recovered')
      counters.flush().catch(onError)
    },
  })
  const entries = createRedisEntries(connection, { clock, onError })
  const counters = createRedisCounters(connection, onError)
  const claims = createRedisClaims(connection, onError)
  const keys = createRedisApiKeys(connection)
  const purgeLog = createRedisPurgeLog(connection)
  const leases = createRedisUploadLeases(connection, { pending: () => images.pendingUploads(), onError })
  const gate = createDrainGate(`The store at ${config.displayUrl}`)

  async function deleteEntriesOfLost(name: ImageName): Promise<void> {
    await leases.assertNotPending(name)
    await entries.deleteEntriesOf(name)
  }

  return {
    readEntry: <Body>(key: string) => gate.run(() => entries.read<Body>(key)),
    writeEntry: (key, entry) =>
      gate.run(async () => {
        // The store of the images needs an entry too: it retains the images, or rejects because one is missing.
        if (entry.images.length) await images.writeEntry(key, { ...entry, body: null })
        await leases.announce(entry.images)
        await entries.write(key, entry)
      }),
    extendEntry: (key, life) =>
      gate.run(async () => {
        await images.extendEntry(key, life)
        await entries.extend(key, life)
      }),
    writeImage: (...image) => gate.run(() => images.writeImage(...image)),
    readImage: (name) =>
      gate.run(async () => {
        const bytes = await images.readImage(name)
        if (!bytes) await deleteEntriesOfLost(name)
        return bytes
      }),
    openImage: (name) =>
      gate.run(async () => {
        const image = await images.openImage(name)
        if (!image) await deleteEntriesOfLost(name)
        return image
      }),
    countRequest: (...request) => gate.run(() => counters.countRequest(...request)),
    readCount: (client, day) => gate.run(() => counters.readCount(client, day)),
    writeKey: (key) => gate.run(() => keys.writeKey(key)),
    readKey: (id) => gate.run(() => keys.readKey(id)),
    listKeys: () => gate.run(() => keys.listKeys()),
    countUsage: (...use) => gate.run(() => keys.countUsage(...use)),
    readUsage: (id, days) => gate.run(() => keys.readUsage(id, days)),
    addPurge: (purge) => gate.run(() => purgeLog.addPurge(purge)),
    readPurges: (after) => gate.run(() => purgeLog.readPurges(after)),
    findItems: (matches, scope) =>
      gate.run(async () => {
        const here = await images.findItems(matches, scope)
        if (!scope.isShared) return here
        const shared = await entries.find(matches)
        return { ids: [...here.ids, ...shared.ids], images: [...new Set([...here.images, ...shared.images])] }
      }),
    deleteEntries: (ids, scope) =>
      gate.run(async () => {
        await images.deleteEntries(ids, scope)
        if (scope.isShared) await entries.deleteEntries(ids)
      }),
    deleteImages: (names, scope) =>
      gate.run(async () => {
        await images.deleteImages(names, scope)
        if (scope.isShared) for (const name of names) await entries.deleteEntriesOf(name)
      }),
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
