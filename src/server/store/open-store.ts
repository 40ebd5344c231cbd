import { join, resolve } from 'node:path'
import { isPageError } from '../../query/index.js'
import { withSpan } from '../tracing.js'
import type { ApiKeyStore } from './api-keys.js'
import { storeImagesInBucket } from './bucket/images-in-bucket.js'
import { openBucket, parseBucketUrl, type BucketFailure } from './bucket/open-bucket.js'
import type { CacheEntry } from './cache-entry.js'
import { ensureDataDir } from './data-dir.js'
import { failureReason } from './dependencies.js'
import { storeInMemoryWhenFull } from './local/memory-fallback.js'
import { openLocalStore, type LocalStoreOptions } from './local/open-local-store.js'
import { startPurges, type Purges } from './purges.js'
import { openRedisStore } from './redis/open-redis-store.js'
import { createRedisApiKeys } from './redis/redis-api-keys.js'
import { connectRedis, parseRedisUrl } from './redis/redis-connection.js'
import type { Store } from './store.js'

type StoreDiskEvent = 'store-damaged' | 'store-not-writable' | 'store-writable'

/** A change that operators should see in the log: a shared store became unreachable or reachable, or a file is damaged. */
export interface StoreEvent {
  event: `${'redis' | 'keys'}-${'unreachable' | 'recovered'}` | `bucket-${BucketFailure | 'recovered'}` | StoreDiskEvent
  /** What happened, and what was lost. */
  reason?: string
}

export interface StoreOptions extends Required<Pick<LocalStoreOptions, 'dataDir' | 'maxBytes' | 'clock' | 'onError'>> {
  /** URL of the Redis that shares cache entries, counters and keys between instances. Default: all on this machine. */
  redis: string | undefined
  /** Prefix of each key in Redis, followed by a colon. Default: `page-preview`. */
  redisPrefix?: string | undefined
  /** URL of the bucket that shares images between instances. Default: on this machine. */
  s3: string | undefined
  /** Where the API keys are: a folder, or the URL of a Redis. Default: with the counters. */
  keys?: string | undefined
  /**
   * Whether the targets that a result needed are allowed by this service. The operator may have withdrawn one, or another service on
   * the same Redis wrote the entry: such a result may show a private page, and is not read. Default: none is allowed.
   */
  isAllowed?: (allowance: string) => boolean
  onEvent: (event: StoreEvent) => void
}

/** A store whose results can be purged from all instances that share it. */
export interface PurgeableStore extends Store, Purges {}

/** API keys without the rest of a store. */
export interface OpenedApiKeys {
  /** For messages: a folder, or the URL of a Redis without user name and password. */
  location: string
  /** The folder that they are in; `undefined` when they are in Redis. */
  dataDir: string | undefined
  apiKeys: ApiKeyStore
  close(): Promise<void>
}

/**
 * Opens the store of a service: on this machine, and in Redis, in a bucket or in both if instances share it.
 *
 * A remote one may be unreachable, and is used as soon as it responds.
 *
 * @throws  Error with a sentence for the operator when one of them cannot be used.
 */
export async function openStore(options: StoreOptions): Promise<PurgeableStore> {
  const { dataDir, maxBytes, clock, redis, redisPrefix, s3, keys, isAllowed = () => false, onEvent, onError } = options
  const report = (event: StoreEvent['event'], error?: Error) =>
    onEvent({ event, ...(error && { reason: failureReason(error) }) })
  const onDamaged = (reason: string) => onEvent({ event: 'store-damaged', reason })
  const onDisk = await openLocalStore({ dataDir, maxBytes, clock, onError, onDamaged })
  const local = storeInMemoryWhenFull(onDisk, { clock, onEvent: report, onError })
  try {
    const images = s3 === undefined ? local : await openImagesAt(s3)
    const store = redis === undefined ? images : await openRedisAt(redis, images)
    const opened = keys === undefined ? undefined : await openApiKeysAt(keys)
    // An unreachable Redis is reported as an event.
    const purges = await startPurges(store, (error) => (isPageError(error) ? undefined : onError(error)))
    const isHidden = (entry: CacheEntry) => purges.isPurged(entry) || entry.allowances?.every(isAllowed) === false
    return {
      ...store,
      ...(opened && apiKeyMethods(opened.apiKeys)),
      readEntry: <Body>(key: string) =>
        withSpan('store.read', async () => {
          const entry = await store.readEntry<Body>(key)
          return entry && !isHidden(entry) ? entry : undefined
        }),
      writeEntry: (key, entry) =>
        withSpan('store.write', async () => {
          await store.writeEntry(key, entry)
          await purges.deletePurged(key, entry)
        }),
      readImage: (name) => withSpan('store.read', () => store.readImage(name)),
      writeImage: (...image) => withSpan('store.write', () => store.writeImage(...image)),
      lastPurge: () => purges.lastPurge(),
      purge: (purge) => purges.purge(purge),
      onPurge: (listener) => purges.onPurge(listener),
      async close() {
        await purges.close()
        await store.close()
        await opened?.close()
      },
    }
  } catch (error) {
    await local.close()
    throw error
  }

  async function openImagesAt(url: string): Promise<Store> {
    const bucket = await openBucket(() => parseOptionUrl('--s3', () => parseBucketUrl(url, process.env)), {
      onFailure: (failure, error) => report(`bucket-${failure}`, error),
      onRecovered: () => report('bucket-recovered'),
    })
    return storeImagesInBucket(local, bucket, { uploadsFolder: join(dataDir, 'uploads'), clock, onError })
  }

  function openRedisAt(url: string, images: Store): Promise<Store> {
    const config = parseOptionUrl('--redis', () => parseRedisUrl(url))
    return openRedisStore(config, { keyPrefix: redisPrefix, images, clock, onEvent: report, onError })
  }

  async function openApiKeysAt(location: string): Promise<Pick<OpenedApiKeys, 'apiKeys' | 'close'>> {
    // A folder can be opened once in a process only.
    if (resolve(location) === resolve(dataDir)) return { apiKeys: local, close: async () => undefined }
    return openApiKeys(location, { option: '--keys', redisPrefix, onEvent: report })
  }
}

const apiKeyMethods = (apiKeys: ApiKeyStore): ApiKeyStore => ({
  writeKey: (key) => apiKeys.writeKey(key),
  readKey: (id) => apiKeys.readKey(id),
  listKeys: () => apiKeys.listKeys(),
  countUsage: (...use) => apiKeys.countUsage(...use),
  readUsage: (id, days) => apiKeys.readUsage(id, days),
})

/**
 * Opens API keys in a Redis or in a folder, which is created when it is missing. A Redis may be full, because keys can be read and
 * revoked then too.
 *
 * @param location  `redis://…`, `rediss://…` or, with `--keys`, a path. Default: the default folder of `serve`.
 * @param options.option       The option that names the location, for messages.
 * @param options.redisPrefix  Prefix of each key, followed by a colon. Default: `page-preview`.
 * @param options.onEvent      Receives whether Redis can be reached, which then may be away at the start. Default: it has to respond.
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
    redisPrefix?: string | undefined
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
  // Without a limit, because opening a store evicts what exceeds it, and only the service knows its limit.
  const store = await openLocalStore({ dataDir, maxBytes: Infinity })
  return { location: dataDir, dataDir, apiKeys: store, close: () => store.close() }
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
