import { digest } from '../digest.js'
import { decodeEntry, encodeEntry } from '../entry-codec.js'
import type { ImageName } from '../image-name.js'
import type { CacheEntry } from '../store.js'
import type { RedisConnection } from './connect-redis.js'
import { createRecentEntries } from './recent-entries.js'
import { redisKey } from './redis-key.js'
import { transactionResults } from './transaction-results.js'

export interface RedisEntriesOptions {
  clock: () => number
  onError: (error: unknown) => void
}

export type RedisEntries = ReturnType<typeof createRedisEntries>

const IDS_PER_COMMAND = 500

const entryKey = (id: string) => redisKey('entry', id)
/** The set of the ids of entries that name the image, or once did. */
const referencesKey = (name: ImageName) => redisKey('references', name)

/** Compares the entry, because another instance may have replaced it since it was read. */
const REPLACE = `if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[2], 'PX', ARGV[3])
for index = 2, #KEYS do redis.call('pexpire', KEYS[index], ARGV[3]) end
return 1`

/** The cache entries in Redis. While Redis is unreachable, they are read from and written to the memory of this instance. */
export function createRedisEntries(connection: RedisConnection, { clock, onError }: RedisEntriesOptions) {
  const recentEntries = createRecentEntries()

  async function read<Body>(key: string): Promise<CacheEntry<Body> | undefined> {
    const id = digest(key)
    const packed = await connection
      .run((redis) => redis.getBuffer(entryKey(id)))
      .catch((error: unknown) => {
        onError(error)
        return recentEntries.get(id)
      })
    const entry = packed ? decodeEntry<Body>(packed) : undefined
    if (!packed || !entry || entry.expiresAt <= clock()) {
      recentEntries.delete(id)
      return undefined
    }
    recentEntries.set(id, { packed, images: entry.images })
    return entry
  }

  async function write(key: string, entry: CacheEntry): Promise<void> {
    const { images } = entry
    const ttlMs = Math.ceil(entry.expiresAt - clock())
    if (ttlMs <= 0) return
    const id = digest(key)
    const packed = encodeEntry(entry)
    recentEntries.set(id, { packed, images })
    await connection
      .run(async (redis) => {
        const transaction = redis.multi().set(entryKey(id), packed, 'PX', ttlMs)
        for (const name of images) transaction.sadd(referencesKey(name), id).pexpire(referencesKey(name), ttlMs)
        transactionResults(await transaction.exec())
      })
      .catch(onError)
  }

  async function extend(key: string, { createdAt, expiresAt }: Pick<CacheEntry, 'createdAt' | 'expiresAt'>) {
    const id = digest(key)
    await connection
      .run(async (redis) => {
        const packed = await redis.getBuffer(entryKey(id))
        const entry = packed && decodeEntry(packed)
        if (!entry || entry.createdAt !== createdAt || entry.expiresAt >= expiresAt) return
        const extended = encodeEntry({ ...entry, expiresAt })
        const keys = [entryKey(id), ...entry.images.map(referencesKey)]
        await redis.eval(REPLACE, keys.length, ...keys, packed, extended, Math.ceil(expiresAt - clock()))
        recentEntries.set(id, { packed: extended, images: entry.images })
      })
      .catch(onError)
  }

  /** Deletes the entries that name an image which turned out to be lost. */
  async function deleteEntriesOf(image: ImageName): Promise<void> {
    recentEntries.deleteEntriesOf(image)
    await connection
      .run(async (redis) => {
        for (const id of await redis.smembers(referencesKey(image))) {
          const packed = await redis.getBuffer(entryKey(id))
          // The entry may have been replaced by one with another image.
          if (packed && decodeEntry(packed)?.images.includes(image)) await redis.unlink(entryKey(id))
        }
        await redis.unlink(referencesKey(image))
      })
      .catch(onError)
  }

  async function deleteEntries(ids: readonly string[]): Promise<void> {
    for (const id of ids) recentEntries.delete(id)
    for (let start = 0; start < ids.length; start += IDS_PER_COMMAND)
      await connection.run((redis) => redis.unlink(ids.slice(start, start + IDS_PER_COMMAND).map(entryKey)))
  }

  return { read, write, extend, deleteEntries, deleteEntriesOf }
}
