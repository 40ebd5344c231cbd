import { keepImagesInBucket } from './bucket/keep-images-in-bucket.js'
import { openBucket } from './bucket/open-bucket.js'
import { readBucketUrl } from './bucket/read-bucket-url.js'
import { namedAddress } from './named-address.js'
import { openLocalStore, type LocalStoreOptions } from './open-local-store.js'
import { reasonOf } from './reason-of.js'
import { openRedisStore } from './redis/open-redis-store.js'
import { readRedisUrl } from './redis/read-redis-url.js'
import type { Store } from './store.js'

/** What is worth a line in the log: something that several instances share is out of reach, or there again. */
export interface StoreEvent {
  event: 'redis-lost' | 'redis-back' | 'bucket-lost' | 'bucket-back'
  reason?: string
}

export interface StoreOptions extends Required<Pick<LocalStoreOptions, 'dataDir' | 'maxBytes' | 'clock' | 'onError'>> {
  /** Address of the Redis that shares answers, counters and keys with other instances. Default: all on this machine. */
  redis: string | undefined
  /** Address of the bucket that shares images with other instances. Default: on this machine. */
  s3: string | undefined
  onEvent: (news: StoreEvent) => void
}

/**
 * Opens the store of one machine, or of several: what several share lies in Redis and in a bucket, in either or both.
 *
 * @throws  Error with a sentence when one of them cannot be used.
 */
export async function openStore({ redis, s3, onEvent, ...local }: StoreOptions): Promise<Store> {
  const { clock, onError } = local
  const tell = (event: StoreEvent['event'], error?: Error) =>
    onEvent({ event, ...(error && { reason: reasonOf(error) }) })
  const disk = await openLocalStore(local)
  try {
    const images = s3 === undefined ? disk : keepImagesInBucket(disk, await bucketAt(s3), { clock, onError })
    if (redis === undefined) return images
    return await openRedisStore(
      namedAddress('--redis', () => readRedisUrl(redis)),
      { images, clock, onEvent: tell, onError },
    )
  } catch (error) {
    await disk.close()
    throw error
  }

  function bucketAt(address: string) {
    return openBucket(
      namedAddress('--s3', () => readBucketUrl(address, process.env)),
      {
        onLost: (error) => tell('bucket-lost', error),
        onBack: () => tell('bucket-back'),
      },
    )
  }
}
