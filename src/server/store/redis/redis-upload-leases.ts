import { PageError } from '../../../query/index.js'
import type { ImageName } from '../image-name.js'
import type { RedisConnection } from './connect-redis.js'
import { redisKey } from './redis-key.js'
import { transactionResults } from './transaction-results.js'

export interface UploadLeasesOptions {
  /** Images that are on this machine alone, and are uploaded later. */
  pending: () => ReadonlySet<ImageName>
  onError: (error: unknown) => void
}

/** Announces to other instances which images this one still has to upload, so that they do not count as lost. */
export interface UploadLeases {
  /** Called before others can find an entry that names these images. */
  announce(images: readonly ImageName[]): Promise<void>
  /** @throws {PageError} `EBUSY` when another instance uploads the image later. */
  assertNotPending(image: ImageName): Promise<void>
  close(): void
}

/** Longer than a restart takes. Images of an instance that does not return are lost. */
const LEASE_MS = 60_000
const RENEWAL_INTERVAL_MS = 20_000

const leaseKey = (image: ImageName) => redisKey('upload', image)

export function createRedisUploadLeases(
  connection: RedisConnection,
  { pending, onError }: UploadLeasesOptions,
): UploadLeases {
  async function lease(images: readonly ImageName[]): Promise<void> {
    if (images.length === 0) return
    await connection
      .run(async (redis) => {
        const pipeline = redis.pipeline()
        for (const image of images) pipeline.set(leaseKey(image), '1', 'PX', LEASE_MS)
        transactionResults(await pipeline.exec())
      })
      .catch(onError)
  }

  const renew = () => void lease([...pending()])
  const timer = setInterval(renew, RENEWAL_INTERVAL_MS)
  timer.unref()
  // Those that a previous run of this instance has left.
  renew()

  return {
    announce: (images) => lease(images.filter((image) => pending().has(image))),
    async assertNotPending(image) {
      const isPending = await connection
        .run((redis) => redis.exists(leaseKey(image)))
        .catch((error: unknown) => {
          onError(error)
          return 0
        })
      if (isPending === 0) return
      const message =
        'The image is on another instance of this service, which uploads it when the image store works. Try again in a few seconds.'
      throw new PageError('EBUSY', message, { retryAfterMs: 2_000 })
    },
    close: () => clearInterval(timer),
  }
}
