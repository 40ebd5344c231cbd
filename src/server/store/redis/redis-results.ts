import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { DAY_MS } from '../../utc-day.js'
import { decodeEntry, digest, encodeEntry, type CacheEntry, type PurgeableItem } from '../cache-entry.js'
import { MAX_LOGGED_PURGES, parsePurge, PURGES_PER_READ } from '../purges.js'
import type { EntryStore, ImageStore, PurgeLog, ResultStore } from '../store-parts.js'
import { isImageName, type ImageName } from '../stored-image.js'
import { redisKey, transactionResults, type RedisConnection } from './redis-connection.js'
import type { createRedisUploadLeases } from './redis-leases.js'

const IDS_PER_COMMAND = 500
const KEYS_PER_SCAN = 500
const MAX_RECENT_BYTES = 32 * 1024 * 1024
/** Memory that an entry takes in addition to its bytes. */
const ENTRY_OVERHEAD_BYTES = 512
/** Longer than any cache entry lives. */
const PURGE_LOG_TTL_MS = 32 * DAY_MS

const entryKey = (id: string) => redisKey('entry', id)
/** The set of the ids of entries that name the image, or once did. */
const referencesKey = (name: string) => redisKey('references', name)
const PURGE_SEQUENCE = redisKey('purge-sequence')
const PURGE_LOG = redisKey('purges')

/** Compares the entry, because another instance may have replaced it since it was read. */
const REPLACE = `if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[2], 'PX', ARGV[3])
for index = 2, #KEYS do redis.call('pexpire', KEYS[index], ARGV[3]) end
return 1`

/** One command, so that the rows are in the order of their numbers. */
const ADD_PURGE = `local sequence = redis.call('incr', KEYS[1])
redis.call('zadd', KEYS[2], sequence, sequence .. ' ' .. ARGV[1])
redis.call('zremrangebyrank', KEYS[2], 0, -1 - ARGV[2])
redis.call('pexpire', KEYS[1], ARGV[3])
redis.call('pexpire', KEYS[2], ARGV[3])
return sequence`

/**
 * The cache entries in Redis, with their images in another store. While Redis is unreachable, entries are read from and written to the
 * memory of this instance.
 *
 * @param backingStore  Stores the images, and the names of the entries that need them: the bucket, or this machine.
 * @param leases  Announce images that other instances cannot read yet.
 */
export function createRedisResults(
  connection: RedisConnection,
  {
    backingStore,
    leases,
    clock,
    onError,
  }: {
    backingStore: ResultStore
    leases: ReturnType<typeof createRedisUploadLeases>
    clock: () => number
    onError: (error: unknown) => void
  },
): ResultStore {
  const recent = createRecentEntries()

  const entries: EntryStore = {
    async readEntry<Body>(key: string): Promise<CacheEntry<Body> | undefined> {
      const id = digest(key)
      const packed = await connection
        .run((redis) => redis.getBuffer(entryKey(id)))
        .catch((error: unknown) => {
          onError(error)
          return recent.get(id)?.packed
        })
      const entry = packed ? decodeEntry<Body>(packed) : undefined
      if (!packed || !entry || entry.expiresAt <= clock()) {
        recent.delete(id)
        return undefined
      }
      recent.set(id, { packed, images: entry.images })
      return entry
    },

    async writeEntry(key, entry) {
      const { images } = entry
      // The store of the images needs an entry too: it retains the images, or rejects because one is missing.
      if (images.length) await backingStore.entries.writeEntry(key, { ...entry, body: null })
      await leases.announce(images)
      const ttlMs = Math.ceil(entry.expiresAt - clock())
      if (ttlMs <= 0) return
      const id = digest(key)
      const packed = encodeEntry(entry)
      recent.set(id, { packed, images })
      await connection
        .run(async (redis) => {
          const transaction = redis.multi().set(entryKey(id), packed, 'PX', ttlMs)
          for (const name of images) transaction.sadd(referencesKey(name), id).pexpire(referencesKey(name), ttlMs)
          transactionResults(await transaction.exec())
        })
        .catch(onError)
    },

    async extendEntry(key, { createdAt, expiresAt }) {
      await backingStore.entries.extendEntry(key, { createdAt, expiresAt })
      const id = digest(key)
      await connection
        .run(async (redis) => {
          const packed = await redis.getBuffer(entryKey(id))
          const entry = packed && decodeEntry(packed)
          if (!entry || entry.createdAt !== createdAt || entry.expiresAt >= expiresAt) return
          const extended = encodeEntry({ ...entry, expiresAt })
          const keys = [entryKey(id), ...entry.images.map(referencesKey)]
          const replaced = await redis.eval(
            REPLACE,
            keys.length,
            ...keys,
            packed,
            extended,
            Math.ceil(expiresAt - clock()),
          )
          if (replaced) recent.set(id, { packed: extended, images: entry.images })
          else recent.delete(id)
        })
        .catch(onError)
    },

    async findItems(matches, scope) {
      const here = await backingStore.entries.findItems(matches, scope)
      if (!scope.isShared) return here
      const shared = await findShared(connection, matches)
      return { ids: [...here.ids, ...shared.ids], images: [...new Set([...here.images, ...shared.images])] }
    },

    async deleteEntries(ids, scope) {
      await backingStore.entries.deleteEntries(ids, scope)
      if (!scope.isShared) return
      for (const id of ids) recent.delete(id)
      for (let start = 0; start < ids.length; start += IDS_PER_COMMAND)
        await connection.run((redis) => redis.unlink(ids.slice(start, start + IDS_PER_COMMAND).map(entryKey)))
    },
  }

  /** Deletes the entries that name an image which is lost or was purged. */
  async function deleteEntriesOf(image: ImageName): Promise<void> {
    for (const [id, { images }] of recent.entries()) if (images.includes(image)) recent.delete(id)
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

  async function deleteEntriesOfLost(image: ImageName): Promise<undefined> {
    await leases.assertNotPending(image)
    await deleteEntriesOf(image)
  }

  const images: ImageStore = {
    ...backingStore.images,
    readImage: async (name) => (await backingStore.images.readImage(name)) ?? deleteEntriesOfLost(name),
    openImage: async (name) => (await backingStore.images.openImage(name)) ?? deleteEntriesOfLost(name),
    async deleteImages(names, scope) {
      await backingStore.images.deleteImages(names, scope)
      if (scope.isShared) for (const name of names) await deleteEntriesOf(name)
    },
  }

  return { entries, images }
}

/** An in-memory copy of the entries that this instance read or wrote last, as Redis has them, used while Redis is unreachable. */
const createRecentEntries = () =>
  new LRUCache<string, { packed: Buffer; images: readonly ImageName[] }>({
    maxSize: MAX_RECENT_BYTES,
    maxEntrySize: MAX_RECENT_BYTES / 8,
    sizeCalculation: ({ packed }) => packed.length + ENTRY_OVERHEAD_BYTES,
  })

/** Finds entries in Redis, and their images. */
async function findShared(
  connection: RedisConnection,
  matches: (item: PurgeableItem) => boolean,
): Promise<{ ids: Set<string>; images: Set<ImageName> }> {
  const ids = new Set<string>()
  const images = new Set<ImageName>()
  await connection.run(async (redis) => {
    await scan(redis, entryKey(''), async (found) => {
      const packed = await redis.mgetBuffer(found.map(entryKey))
      found.forEach((id, index) => {
        const bytes = packed[index]
        const entry = bytes && decodeEntry(bytes)
        if (!entry || !matches(entry)) return
        ids.add(id)
        for (const name of entry.images) images.add(name)
      })
    })
    // Images of entries that were replaced can still be requested.
    if (ids.size) await scan(redis, referencesKey(''), (names) => addImagesOf(redis, names, { ids, images }))
  })
  return { ids, images }
}

async function addImagesOf(
  redis: Redis,
  names: string[],
  { ids, images }: { ids: ReadonlySet<string>; images: Set<ImageName> },
): Promise<void> {
  const pipeline = redis.pipeline()
  for (const name of names) pipeline.smembers(referencesKey(name))
  const members = transactionResults(await pipeline.exec()) as string[][]
  names.forEach((name, index) => {
    if (isImageName(name) && members[index]!.some((id) => ids.has(id))) images.add(name)
  })
}

/** Visits the rests of all keys that begin with a text, in batches. */
async function scan(redis: Redis, start: string, visit: (rests: string[]) => Promise<void>): Promise<void> {
  // `MATCH` is a pattern, and gets no prefix from the client.
  const prefix = `${redis.options.keyPrefix ?? ''}${start}`
  const pattern = `${prefix.replace(/[*?[\]\\]/g, String.raw`\$&`)}*`
  let cursor = '0'
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', KEYS_PER_SCAN)
    if (keys.length) await visit(keys.map((key) => key.slice(prefix.length)))
    cursor = next
  } while (cursor !== '0')
}

/** The log of purges in Redis, which all instances read. */
export const createRedisPurgeLog = (connection: RedisConnection): PurgeLog => ({
  async addPurge(purge) {
    const row = JSON.stringify(purge)
    await connection.run((redis) =>
      redis.eval(ADD_PURGE, 2, PURGE_SEQUENCE, PURGE_LOG, row, MAX_LOGGED_PURGES, PURGE_LOG_TTL_MS),
    )
  },
  async readPurges(after) {
    const [last, rows] = await connection.run(async (redis) =>
      transactionResults(
        await redis
          .multi()
          .get(PURGE_SEQUENCE)
          .zrangebyscore(PURGE_LOG, after + 1, '+inf', 'LIMIT', 0, PURGES_PER_READ)
          .exec(),
      ),
    )
    return { last: Number(last ?? 0), purges: (rows as string[]).flatMap(parseRow) }
  },
})

function parseRow(row: string) {
  const space = row.indexOf(' ')
  return parsePurge(Number(row.slice(0, space)), row.slice(space + 1))
}
