import { isPageError } from '../../../query/index.js'
import { createDrainGate } from '../drain-gate.js'
import type { ImageName, CacheEntry, Store } from '../store.js'
import { namedAddress } from '../named-address.js'
import { connectRedis } from './connect-redis.js'
import { readRedisUrl, type RedisAddress } from './read-redis-url.js'
import { createRedisAnswers } from './redis-entries.js'
import { createRedisCounters } from './redis-counters.js'
import { createRedisKeys, type ApiKeyStore } from './redis-keys.js'
import { withRedisLock } from './redis-lock.js'

export interface RedisStoreOptions {
  /** Keeps the images, and lives and ends with this store. */
  images: Store
  /** Milliseconds since 1970. */
  clock: () => number
  /** Told when Redis is lost and when it is back. */
  onEvent: (news: 'redis-lost' | 'redis-back', reason?: Error) => void
  /** Told what went wrong while callers got their answer all the same. */
  onError: (error: unknown) => void
}

/**
 * Opens a store whose answers, counters and keys all instances on the same Redis share. An answer goes when it expires, or
 * when Redis itself makes room (`maxmemory`); no row but the keys is without expiry.
 *
 * While Redis is out of reach, answers come from the memory of this instance, requests are counted by it alone, no key is
 * good (`EBUSY`), and the store is not ready.
 *
 * @throws  Error with a sentence when Redis cannot be used.
 */
export async function openRedisStore(
  address: RedisAddress,
  { images, clock, onEvent, onError: tell }: RedisStoreOptions,
): Promise<Store> {
  // That Redis is lost is news, told once.
  const onError = (error: unknown) => (isPageError(error) ? undefined : tell(error))
  const link = await connectRedis(address, {
    onLost: (error) => onEvent('redis-lost', error),
    onBack() {
      onEvent('redis-back')
      counters.settle().catch(onError)
    },
  })
  const answers = createRedisAnswers(link, { clock, onError })
  const counters = createRedisCounters(link, { onError })
  const keys = createRedisKeys(link)
  const gate = createDrainGate(`The store at ${address.name}`)

  async function writeEntry(key: string, answer: CacheEntry): Promise<void> {
    // There the answer holds its images, or is refused because they are not kept.
    if (answer.images.length) await images.writeEntry(key, { ...answer, body: null })
    await answers.write(key, answer)
  }

  async function readImage(name: ImageName): Promise<Uint8Array | undefined> {
    const bytes = await images.readImage(name)
    if (!bytes) await answers.forgetImage(name)
    return bytes
  }

  async function close() {
    await images.close()
    link.close()
  }

  return {
    readEntry: <Body>(key: string) => gate.enter(() => answers.read<Body>(key)),
    writeEntry: (key, answer) => gate.enter(() => writeEntry(key, answer)),
    writeImage: (bytes, type) => gate.enter(() => images.writeImage(bytes, type)),
    readImage: (name) => gate.enter(() => readImage(name)),
    countRequest: (client, day) => gate.enter(() => counters.count(client, day)),
    readCount: (client, day) => gate.enter(() => counters.read(client, day)),
    writeKey: (key) => gate.enter(() => keys.writeKey(key)),
    readKey: (id) => gate.enter(() => keys.readKey(id)),
    listKeys: () => gate.enter(() => keys.listKeys()),
    async exclusively(key, work, { signal }) {
      gate.mustBeOpen()
      return withRedisLock(link, key, work, { signal, onError })
    },
    usedBytes: () => gate.enter(() => images.usedBytes()),
    isReady: async () => gate.isOpen() && (await Promise.all([link.isReady(), images.isReady()])).every(Boolean),
    close: () => gate.close(close),
  }
}

/**
 * Opens the keys in a Redis alone, for whoever has nothing to do with answers.
 *
 * @throws  Error with a sentence when the address or the Redis cannot be used.
 */
export async function openRedisKeys(url: string): Promise<{ place: string; cacheTable: ApiKeyStore; close(): void }> {
  const address = namedAddress('--redis', () => readRedisUrl(url))
  const nobodyAsks = () => undefined
  const link = await connectRedis(address, { onLost: nobodyAsks, onBack: nobodyAsks })
  return { place: address.name, cacheTable: createRedisKeys(link), close: () => link.close() }
}
