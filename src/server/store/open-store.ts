import { join, resolve } from 'node:path'
import { isPageError } from '../../query/index.js'
import { closeAfterFailure, closeAll, type Closings } from '../closings.js'
import { withSpan } from '../tracing.js'
import type { ApiKeyStore } from './api-keys.js'
import { storeImagesInBucket } from './bucket/images-in-bucket.js'
import { openBucket, parseBucketUrl, type BucketFailure } from './bucket/open-bucket.js'
import { ensureDataDir } from './data-dir.js'
import { failureReason } from './dependencies.js'
import { createDrainGate } from './drain-gate.js'
import { storeInMemoryWhenFull } from './local/memory-fallback.js'
import { openLocalApiKeys, openLocalStore, type LocalStoreOptions } from './local/open-local-store.js'
import { startPurges, type Purges } from './purges.js'
import { openRedisParts } from './redis/open-redis-parts.js'
import { createRedisApiKeys } from './redis/redis-keys.js'
import { connectRedis, parseRedisUrl } from './redis/redis-connection.js'
import type { EntryStore, ImageStore, Locks, RequestCounters, StoreHealth } from './store-parts.js'
import type { ImageName } from './stored-image.js'

/**
 * Everything the service persists. No method waits for a target page. Each rejects with the error of the storage itself, or within
 * seconds with a `PageError` `EBUSY` while a remote store is unreachable; local entries stay readable then.
 */
export interface Store {
  entries: EntryStore
  images: ImageStore
  counters: RequestCounters
  apiKeys: ApiKeyStore
  locks: Locks
  purges: Purges
  health: StoreHealth
  /** Waits for running calls, flushes and releases the storage. Every later call rejects. */
  close(): Promise<void>
}

const BUCKET_EVENTS = {
  unreachable: 'bucket-unreachable',
  rejected: 'bucket-rejected',
  full: 'bucket-full',
  throttled: 'bucket-throttled',
} as const satisfies Record<BucketFailure, string>

/** A change that operators should see in the log: a shared store became unreachable or reachable, or a file is damaged. */
export interface StoreEvent {
  event:
    | 'redis-unreachable'
    | 'redis-recovered'
    | 'keys-unreachable'
    | 'keys-recovered'
    | (typeof BUCKET_EVENTS)[BucketFailure]
    | 'bucket-recovered'
    | 'store-damaged'
    | 'store-not-writable'
    | 'store-writable'
  /** What happened, and what was lost. */
  reason?: string
}

export interface StoreOptions extends Required<Pick<LocalStoreOptions, 'dataDir' | 'maxBytes' | 'clock' | 'onError'>> {
  /** URL of the Redis that shares cache entries, counters and keys between instances. Default: all on this machine. */
  redis: string | undefined
  /** Prefix of each key in Redis, followed by a colon. */
  redisPrefix: string
  /** URL of the bucket that shares images between instances. Default: on this machine. */
  s3: string | undefined
  /** Location of the API keys: a folder, or the URL of a Redis. Default: with the counters. */
  keys?: string | undefined
  /**
   * Whether the targets that a result needed are allowed by this service. The operator may have withdrawn one, or another service on
   * the same Redis wrote the entry: such a result may show a private page, and is not read. Default: none is allowed.
   */
  isAllowed?: (allowance: string) => boolean
  onEvent: (event: StoreEvent) => void
}

/** API keys without the rest of a store. */
export interface OpenedApiKeys {
  /** A folder, or the URL of a Redis without user name and password, for messages. */
  location: string
  /** The folder that they are in; `undefined` when they are in Redis. */
  dataDir: string | undefined
  apiKeys: ApiKeyStore
  close(): Promise<void>
}

/** The locks of one machine, where calls for one key are shared before they come here. */
const LOCAL_LOCKS: Locks = {
  withLock: (_, work) => work(),
  claim: async () => true,
  unclaim: async () => undefined,
}

/**
 * Opens the store of a service: on this machine, and in Redis, in a bucket or in both if instances share it.
 *
 * A remote one may be unreachable, and is used as soon as it responds.
 *
 * @throws  Error with a sentence for the operator when one of them cannot be used.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { dataDir, isAllowed = () => false, onError } = options
  const closings: Closings = []
  try {
    const { bucket, redis, ...parts } = await openParts(options, closings)
    // An unreachable Redis is reported as an event.
    const purges = await startPurges(parts, (error) => (isPageError(error) ? undefined : onError(error)))
    // The local store has its own gate, for its background work; this one waits for calls to Redis and the bucket too.
    const gate = createDrainGate(`The store in ${dataDir}`)
    const entries: EntryStore = {
      ...parts.entries,
      readEntry: <Body>(key: string) =>
        withSpan('store.read', async () => {
          const entry = await parts.entries.readEntry<Body>(key)
          const isHidden = entry && (purges.isPurged(entry) || entry.allowances?.every(isAllowed) === false)
          return isHidden ? undefined : entry
        }),
      writeEntry: (key, entry) =>
        withSpan('store.write', async () => {
          await parts.entries.writeEntry(key, entry)
          await purges.deletePurged(key, entry)
        }),
    }
    const images: ImageStore = {
      ...parts.images,
      readImage: (name) => withSpan('store.read', () => parts.images.readImage(name)),
      writeImage: (...image) => withSpan('store.write', () => parts.images.writeImage(...image)),
    }
    return {
      entries: gate.guard(entries),
      images: gate.guard(images),
      counters: gate.guard(parts.counters),
      apiKeys: gate.guard(parts.apiKeys),
      locks: {
        ...gate.guard(parts.locks),
        // Closing does not wait for the work, whose own calls are waited for.
        async withLock(...work) {
          gate.assertOpen()
          return parts.locks.withLock(...work)
        },
      },
      purges: { ...purges, purge: (purge) => gate.run(() => purges.purge(purge)) },
      health: {
        ...parts.health,
        isReady: async () => gate.isOpen() && (await parts.health.isReady()),
        dependencies: () => ({
          ...(redis && { redis: redis.connection.state() }),
          ...(bucket && { bucket: bucket.state() }),
        }),
        checkDependencies: async () => void (await Promise.all([redis?.connection.check(), bucket?.check()])),
        pendingUploads: () => parts.pendingUploads(),
      },
      async close() {
        try {
          await purges.close()
        } finally {
          await gate.close(() => closeAll(closings))
        }
      },
    }
  } catch (error) {
    return closeAfterFailure(closings, error)
  }
}

/**
 * Opens each part in the place that the options name.
 *
 * @param closings  Receives what closes the part, after each was opened.
 */
async function openParts(options: StoreOptions, closings: Closings) {
  const { dataDir, maxBytes, clock, redisPrefix, onEvent, onError } = options
  const report = (event: StoreEvent['event'], error?: Error) =>
    onEvent({ event, ...(error && { reason: failureReason(error) }) })
  const onDamaged = (reason: string) => onEvent({ event: 'store-damaged', reason })

  const disk = await openLocalStore({ dataDir, maxBytes, clock, onError, onDamaged })
  const local = storeInMemoryWhenFull(disk, { clock, onEvent: report, onError })
  closings.push(() => local.close())

  const bucket = options.s3 === undefined ? undefined : await openBucketAt(options.s3)
  const inBucket =
    bucket && (await storeImagesInBucket(local, bucket, { uploadsFolder: join(dataDir, 'uploads'), clock, onError }))
  if (inBucket) closings.push(() => inBucket.uploads.close())
  const pendingUploads = () => inBucket?.uploads.pending() ?? new Set<ImageName>()

  const results = inBucket ?? local
  const redis = options.redis === undefined ? undefined : await openRedisAt(options.redis)
  if (redis) closings.push(() => redis.close())

  const keys = options.keys === undefined ? undefined : await openApiKeysAt(options.keys)
  if (keys) closings.push(() => keys.close())

  const { entries, images } = redis ?? results
  const { counters, purgeLog } = redis ?? local
  const { apiKeys } = keys ?? redis ?? local
  const locks = redis?.locks ?? LOCAL_LOCKS
  return { entries, images, counters, apiKeys, purgeLog, locks, health: local.health, pendingUploads, bucket, redis }

  function openBucketAt(url: string) {
    return openBucket(() => parseOptionUrl('--s3', () => parseBucketUrl(url, process.env)), {
      onFailure: (failure, error) => report(BUCKET_EVENTS[failure], error),
      onRecovered: () => report('bucket-recovered'),
    })
  }

  function openRedisAt(url: string) {
    const config = parseOptionUrl('--redis', () => parseRedisUrl(url))
    return openRedisParts(config, {
      keyPrefix: redisPrefix,
      backingStore: results,
      pendingUploads,
      clock,
      onEvent: report,
      onError,
    })
  }

  async function openApiKeysAt(location: string): Promise<Pick<OpenedApiKeys, 'apiKeys' | 'close'>> {
    if (resolve(location) === resolve(dataDir)) return { apiKeys: local.apiKeys, close: async () => undefined }
    return openApiKeys(location, { option: '--keys', redisPrefix, onEvent: report })
  }
}

/**
 * Opens API keys in a Redis or in a folder, which is created when it is missing. A Redis may be full, because keys can be read and
 * revoked then too.
 *
 * @param location  `redis://…`, `rediss://…` or, with `--keys`, a path. Default: the default folder of `serve`.
 * @param options.option       The option that names the location, for messages.
 * @param options.redisPrefix  Prefix of each key, followed by a colon.
 * @param options.onEvent      Receives whether Redis can be reached; with it, Redis may be unreachable at the start. Default: Redis has to respond.
 * @throws          Error with a sentence for the operator when it cannot be used.
 */
export async function openApiKeys(
  location: string | undefined,
  {
    option,
    redisPrefix,
    onEvent,
  }: {
    option: '--keys' | '--redis'
    redisPrefix: string
    onEvent?: (event: 'keys-unreachable' | 'keys-recovered', error?: Error) => void
  },
): Promise<OpenedApiKeys> {
  if (location !== undefined && (option === '--redis' || isRedisUrl(location))) {
    const config = parseOptionUrl(option, () => parseRedisUrl(location))
    const connection = await connectRedis(config, {
      option,
      keyPrefix: redisPrefix,
      mayBeUnreachable: onEvent !== undefined,
      mayBeFull: true,
      onDisconnect: (error) => onEvent?.('keys-unreachable', error),
      onReconnect: () => onEvent?.('keys-recovered'),
    })
    return {
      location: config.displayUrl,
      dataDir: undefined,
      apiKeys: createRedisApiKeys(connection),
      close: async () => connection.close(),
    }
  }
  const dataDir = await ensureDataDir(location)
  return { location: dataDir, dataDir, ...(await openLocalApiKeys(dataDir)) }
}

export const isRedisUrl = (location: string): boolean => /^rediss?:/i.test(location)

/** Parses the URL of an option, and prefixes the error with the option's name when that fails. */
function parseOptionUrl<Parsed>(option: string, parse: () => Parsed): Parsed {
  try {
    return parse()
  } catch (cause) {
    throw new Error(`${option} ${cause instanceof Error ? cause.message : String(cause)}.`, { cause })
  }
}
