import type { ChainableCommander, Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { isIP } from 'node:net'
import { DAY_MS } from '../../utc-day.js'
import {
  decodeEntry,
  digest,
  encodeEntry,
  hostOfSubject,
  subjectOfImage,
  type CacheEntry,
  type PurgeableItem,
  type Subject,
} from '../cache-entry.js'
import { MAX_LOGGED_PURGES, parsePurge, PURGES_PER_READ } from '../purges.js'
import type { EntryStore, ImageStore, LoggedPurge, Purge, PurgeLog, ResultStore } from '../store-parts.js'
import { isImageName, type ImageName } from '../stored-image.js'
import { redisKey, transactionResults, type RedisConnection } from './redis-connection.js'
import type { createRedisUploadLeases } from './redis-leases.js'

const KEYS_PER_COMMAND = 500
const MAX_RECENT_BYTES = 32 * 1024 * 1024
/** Memory that an entry takes in addition to its bytes. */
const ENTRY_OVERHEAD_BYTES = 512
/** Longer than any cache entry lives. */
const PURGE_LOG_TTL_MS = 32 * DAY_MS
/** What an instance without requests asks Redis for is little. */
export const PURGE_WAIT_MS = 8_000

const entryKey = (id: string) => redisKey('entry', id)
/** The set of the ids of entries that name the image, or once did. */
const referencesKey = (name: ImageName) => redisKey('index', 'image', name)
/** The set of the ids of entries that show the subject, and of the images that they name, or once did. */
const subjectKey = (subject: string) => redisKey('index', 'subject', subject)
/** The set of the subjects on a host and its subdomains. */
const hostKey = (host: string) => redisKey('index', 'host', host)
const PURGE_LOG = redisKey('purges')

/** The time of Redis in milliseconds. */
const NOW = `local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`

/**
 * Adds a member to each set of the index that belongs to an entry. The sets are sorted by the time at which their members expire: the set
 * of a host whose pages are always requested never expires itself, so each write removes what has expired.
 */
const addToIndex = (argumentsBefore: number) => `${NOW}
local expiry = string.format('%.0f', now + ARGV[2])
for index = 2, #KEYS do
  local key, member = KEYS[index], ARGV[index + ${argumentsBefore - 1}]
  redis.call('zremrangebyscore', key, '-inf', string.format('(%.0f', now))
  local known = redis.call('zscore', key, member)
  if not known or tonumber(known) < tonumber(expiry) then redis.call('zadd', key, expiry, member) end
  if redis.call('pttl', key) < tonumber(ARGV[2]) then redis.call('pexpire', key, ARGV[2]) end
end`

/** Writes an entry, and adds it to the index. */
const WRITE = `redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
${addToIndex(2)}`

/** Compares the entry, because another instance may have replaced it since it was read. */
const REPLACE = `if redis.call('get', KEYS[1]) ~= ARGV[3] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
${addToIndex(3)}
return 1`

/**
 * Sequence numbers are times of Redis in milliseconds, so that they also increase after Redis has lost the log. They are the ids of a
 * stream, in which they count up.
 */
const ADD_PURGE = `local last = redis.call('xrevrange', KEYS[1], '+', '-', 'COUNT', 1)[1]
${NOW}
local sequence = now
if last then sequence = math.max(sequence, tonumber(string.match(last[1], '^%d+')) + 1) end
redis.call('xadd', KEYS[1], 'MAXLEN', ARGV[2], string.format('%.0f-0', sequence), 'purge', ARGV[1])
redis.call('pexpire', KEYS[1], ARGV[3])`

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
        .run((redis) => {
          const index = indexOf(id, entry)
          const keys = [entryKey(id), ...index.map(({ key }) => key)]
          return redis.eval(WRITE, keys.length, ...keys, packed, ttlMs, ...index.map(({ member }) => member))
        })
        .catch(onError)
    },

    async extendEntry(key, life) {
      const { createdAt, expiresAt } = life
      await backingStore.entries.extendEntry(key, life)
      const id = digest(key)
      await connection
        .run(async (redis) => {
          const packed = await redis.getBuffer(entryKey(id))
          const entry = packed && decodeEntry(packed)
          if (!entry || entry.createdAt !== createdAt || entry.expiresAt >= expiresAt) return
          const extended = encodeEntry({ ...entry, expiresAt })
          const index = indexOf(id, entry)
          const keys = [entryKey(id), ...index.map(({ key }) => key)]
          const ttlMs = Math.ceil(expiresAt - clock())
          const members = index.map(({ member }) => member)
          const replaced = await redis.eval(REPLACE, keys.length, ...keys, extended, ttlMs, packed, ...members)
          if (replaced) recent.set(id, { packed: extended, images: entry.images })
          else recent.delete(id)
        })
        .catch(onError)
    },

    async findItems(purge, matches, scope) {
      const here = await backingStore.entries.findItems(purge, matches, scope)
      if (!scope.isShared) return here
      const shared = await connection.run((redis) => findShared(redis, purge, matches))
      return { ids: [...here.ids, ...shared.ids], images: [...new Set([...here.images, ...shared.images])] }
    },

    findNamedImages: (names, condition) => backingStore.entries.findNamedImages(names, condition),

    async deleteEntries(ids, scope) {
      await backingStore.entries.deleteEntries(ids, scope)
      if (!scope.isShared) return
      for (const id of ids) recent.delete(id)
      for (const batch of batchesOf(ids)) await connection.run((redis) => redis.unlink(batch.map(entryKey)))
    },
  }

  /** Deletes the entries that name an image which is lost or was purged. */
  async function deleteEntriesOf(image: ImageName): Promise<void> {
    for (const [id, { images }] of recent.entries()) if (images.includes(image)) recent.delete(id)
    await connection
      .run(async (redis) => {
        for (const id of await redis.zrange(referencesKey(image), 0, '-1')) {
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

/** The sets in which a purge finds an entry and its images. */
function indexOf(id: string, { images, subjects = [] }: CacheEntry): { key: string; member: string }[] {
  return [
    ...images.map((name) => ({ key: referencesKey(name), member: id })),
    ...subjects.flatMap((subject) => [
      ...[id, ...images].map((member) => ({ key: subjectKey(subject), member })),
      ...indexedHosts(hostOfSubject(subject)).map((host) => ({ key: hostKey(host), member: subject })),
    ]),
  ]
}

/** A host and its parents, but for top-level domains, of which a set would have a large part of all pages. */
function indexedHosts(host: string): string[] {
  if (!host.includes('.')) return []
  return isIP(host) ? [host] : [host, ...indexedHosts(host.slice(host.indexOf('.') + 1))]
}

/** Finds entries in Redis, and the images that they name or once did, which can still be requested. */
async function findShared(
  redis: Redis,
  purge: Purge,
  matches: (item: PurgeableItem) => boolean,
): Promise<{ ids: Set<string>; images: Set<ImageName> }> {
  const ids = new Set<string>()
  const images = new Set<ImageName>()
  for await (const subjects of subjectsOf(redis, purge, matches)) {
    const members = new Set(
      (await pipelined(redis, subjects, (batch, at) => batch.zrange(subjectKey(at), 0, '-1'))).flat() as string[],
    )
    const named = [...members].filter(isImageName)
    const isReferenced = await pipelined(redis, named, (batch, name) => batch.exists(referencesKey(name)))
    named.forEach((name, index) => isReferenced[index] === 1 && images.add(name))
    for (const batch of batchesOf([...members].filter((member) => !isImageName(member)))) {
      const packed = await redis.mgetBuffer(batch.map(entryKey))
      batch.forEach((id, index) => {
        const bytes = packed[index]
        const entry = bytes && decodeEntry(bytes)
        if (!entry || !matches(entry)) return
        ids.add(id)
        for (const name of entry.images) images.add(name)
      })
    }
  }
  return { ids, images }
}

/** What a purge is about, in batches; from the index, unless it is about everything or a whole top-level domain. */
async function* subjectsOf(
  redis: Redis,
  purge: Purge,
  matches: (item: PurgeableItem) => boolean,
): AsyncGenerator<string[]> {
  if ('page' in purge) yield [purge.page]
  else if ('images' in purge) yield* batchesOf(purge.images.map(subjectOfImage))
  else if ('host' in purge && purge.host.includes('.'))
    for await (const pairs of redis.zscanStream(hostKey(purge.host), { count: KEYS_PER_COMMAND }))
      // Members and scores in turn.
      yield (pairs as string[]).filter((_, at) => at % 2 === 0)
  else
    for await (const subjects of scan(redis, subjectKey('')))
      yield subjects.filter((subject) => matches({ subjects: [subject as Subject] }))
}

/** The results of a command for each of many values, in their order. */
async function pipelined<Value>(
  redis: Redis,
  values: readonly Value[],
  command: (batch: ChainableCommander, value: Value) => unknown,
): Promise<unknown[]> {
  const results: unknown[] = []
  for (const batch of batchesOf(values)) {
    const pipeline = redis.pipeline()
    for (const value of batch) command(pipeline, value)
    results.push(...transactionResults(await pipeline.exec()))
  }
  return results
}

function* batchesOf<Value>(values: readonly Value[]): Generator<Value[]> {
  for (let start = 0; start < values.length; start += KEYS_PER_COMMAND)
    yield values.slice(start, start + KEYS_PER_COMMAND)
}

/** The rests of all keys that begin with a text, in batches. */
async function* scan(redis: Redis, start: string): AsyncGenerator<string[]> {
  // `MATCH` is a pattern, and gets no prefix from the client.
  const prefix = `${redis.options.keyPrefix ?? ''}${start}`
  const match = `${prefix.replace(/[*?[\]\\]/g, String.raw`\$&`)}*`
  for await (const keys of redis.scanStream({ match, count: KEYS_PER_COMMAND }))
    yield (keys as string[]).map((key) => key.slice(prefix.length))
}

/** A row of the log. */
type StreamRow = [id: string, fields: string[]]

/**
 * The log of purges in Redis, which all instances read.
 *
 * @param listening  A connection of its own, because one that waits for a purge runs no other command.
 */
export const createRedisPurgeLog = (connection: RedisConnection, listening: RedisConnection): PurgeLog => ({
  async addPurge(purge) {
    const row = JSON.stringify(purge)
    await connection.run((redis) => redis.eval(ADD_PURGE, 1, PURGE_LOG, row, MAX_LOGGED_PURGES, PURGE_LOG_TTL_MS))
  },
  async readPurges(after) {
    const [newest, rows] = (await connection.run(async (redis) =>
      transactionResults(
        await redis
          .multi()
          .xrevrange(PURGE_LOG, '+', '-', 'COUNT', 1)
          .xrange(PURGE_LOG, `(${after}`, '+', 'COUNT', PURGES_PER_READ)
          .exec(),
      ),
    )) as [StreamRow[], StreamRow[]]
    return { last: newest[0] ? sequenceOf(newest[0]) : 0, purges: rows.flatMap(parseRow) }
  },
  async waitForPurge(after, signal) {
    signal.throwIfAborted()
    await listening.run((redis) => redis.xread('COUNT', 1, 'BLOCK', PURGE_WAIT_MS, 'STREAMS', PURGE_LOG, `${after}-0`))
  },
})

const sequenceOf = ([id]: StreamRow) => Number.parseInt(id, 10)

const parseRow = (row: StreamRow): LoggedPurge[] => parsePurge(sequenceOf(row), row[1][1] ?? '')
