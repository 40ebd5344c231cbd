import { join, resolve } from 'node:path'
import { isPageError } from '../../query/index.js'
import type { BucketFailure } from './bucket/bucket-error.js'
import { createUploads } from './bucket/create-uploads.js'
import { openBucket } from './bucket/open-bucket.js'
import { parseBucketUrl } from './bucket/parse-bucket-url.js'
import { storeImagesInBucket } from './bucket/store-images-in-bucket.js'
import { createUploadMarkers } from './bucket/upload-markers.js'
import { failureReason } from './failure-reason.js'
import type { LocalStoreOptions } from './local/local-store-options.js'
import { storeInMemoryWhenFull } from './local/memory-fallback.js'
import { openLocalStore } from './local/open-local-store.js'
import { openApiKeys, type OpenedApiKeys } from './open-api-keys.js'
import { parseOptionUrl } from './parse-option-url.js'
import { withPurges, type PurgeableStore } from './purge/with-purges.js'
import { openRedisStore } from './redis/open-redis-store.js'
import { parseRedisUrl } from './redis/parse-redis-url.js'
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
  onEvent: (event: StoreEvent) => void
}

/**
 * Opens the store of a service: on this machine, and in Redis, in a bucket or in both where instances share it.
 *
 * A remote one may be unreachable, and is used as soon as it responds.
 *
 * @throws  Error with a sentence for the operator when one of them cannot be used.
 */
export async function openStore({
  redis,
  redisPrefix,
  s3,
  keys,
  onEvent,
  ...localOptions
}: StoreOptions): Promise<PurgeableStore> {
  const { clock, onError } = localOptions
  const report = (event: StoreEvent['event'], error?: Error) =>
    onEvent({ event, ...(error && { reason: failureReason(error) }) })
  const onDamaged = (reason: string) => onEvent({ event: 'store-damaged', reason })
  const local = storeInMemoryWhenFull(await openLocalStore({ ...localOptions, onDamaged }), {
    clock,
    onEvent: report,
    onError,
  })
  try {
    const images = s3 === undefined ? local : await storeImagesAt(s3)
    const store = redis === undefined ? images : await openRedisStoreAt(redis, images)
    const all = keys === undefined ? store : withApiKeys(store, await openApiKeysAt(keys))
    // An unreachable Redis is reported as an event.
    return await withPurges(all, { onError: (error) => (isPageError(error) ? undefined : onError(error)) })
  } catch (error) {
    await local.close()
    throw error
  }

  function openRedisStoreAt(url: string, images: Store): Promise<Store> {
    const config = parseOptionUrl('--redis', () => parseRedisUrl(url))
    return openRedisStore(config, { keyPrefix: redisPrefix, images, clock, onEvent: report, onError })
  }

  async function openApiKeysAt(location: string): Promise<Pick<OpenedApiKeys, 'apiKeys' | 'close'>> {
    // A folder can be opened once in a process only.
    if (resolve(location) === resolve(localOptions.dataDir)) return { apiKeys: local, close: async () => undefined }
    return openApiKeys(location, { option: '--keys', redisPrefix, onEvent: report })
  }

  async function storeImagesAt(url: string): Promise<Store> {
    const parse = () => parseBucketUrl(url, process.env)
    const bucket = await openBucket(parseOptionUrl('--s3', parse), {
      readCredentials: parse,
      onFailure: (failure, error) => report(`bucket-${failure}`, error),
      onRecovered: () => report('bucket-recovered'),
    })
    const markers = createUploadMarkers(join(localOptions.dataDir, 'uploads'))
    const uploads = await createUploads({ bucket, local, markers, onError })
    return storeImagesInBucket(local, bucket, { uploads, clock, onError })
  }
}

function withApiKeys(store: Store, { apiKeys, close }: Pick<OpenedApiKeys, 'apiKeys' | 'close'>): Store {
  return {
    ...store,
    writeKey: (key) => apiKeys.writeKey(key),
    readKey: (id) => apiKeys.readKey(id),
    listKeys: () => apiKeys.listKeys(),
    countUsage: (...use) => apiKeys.countUsage(...use),
    readUsage: (id, days) => apiKeys.readUsage(id, days),
    async close() {
      await store.close()
      await close()
    },
  }
}
