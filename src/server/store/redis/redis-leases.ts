import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { digest } from '../cache-entry.js'
import { busyError } from '../../busy-error.js'
import type { Locks } from '../store-parts.js'
import type { ImageName } from '../stored-image.js'
import { redisKey, transactionResults, type RedisConnection } from './redis-connection.js'

/** How long after the crash of its holder another instance acquires the lock. */
const LOCK_TTL_MS = 2_000
const FIRST_POLL_DELAY_MS = 20
const MAX_POLL_DELAY_MS = 150
/** Longer than a restart takes. Images of an instance that does not return are lost. */
const UPLOAD_LEASE_MS = 60_000
const UPLOAD_RENEWAL_INTERVAL_MS = 20_000

const lockKey = (key: string) => redisKey('lock', digest(key))
const claimKey = (key: string) => redisKey('claim', digest(key))
const uploadKey = (image: ImageName) => redisKey('upload', image)

/** Both scripts check the token, because the lock may have expired and belong to another instance by now. */
const EXTEND = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0`
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`

/**
 * Locks and claims that all instances see. A lock is extended while the work runs and expires soon after a crash. While Redis is
 * unreachable, the work runs without the lock, because doing it twice is better than not at all, and each instance claims alone.
 */
export const createRedisLocks = (connection: RedisConnection, onError: (error: unknown) => void): Locks => ({
  async withLock(key, work, { signal }) {
    const lock = { key: lockKey(key), token: randomUUID() }
    try {
      await acquire(connection, lock, signal)
    } catch (error) {
      signal.throwIfAborted()
      onError(error)
      return work()
    }
    const extending = setInterval(() => {
      connection.run((redis) => redis.eval(EXTEND, 1, lock.key, lock.token, LOCK_TTL_MS)).catch(onError)
    }, LOCK_TTL_MS / 3)
    try {
      return await work()
    } finally {
      clearInterval(extending)
      await connection.run((redis) => redis.eval(RELEASE, 1, lock.key, lock.token)).catch(onError)
    }
  },

  async claim(key, ttlMs) {
    try {
      return (await connection.run((redis) => redis.set(claimKey(key), '1', 'PX', ttlMs, 'NX'))) !== null
    } catch (error) {
      onError(error)
      return true
    }
  },

  async unclaim(key) {
    await connection.run((redis) => redis.unlink(claimKey(key))).catch(onError)
  },
})

async function acquire(connection: RedisConnection, lock: { key: string; token: string }, signal: AbortSignal) {
  const tryAcquire = () => connection.run((redis) => redis.set(lock.key, lock.token, 'PX', LOCK_TTL_MS, 'NX'))
  for (let delayMs = FIRST_POLL_DELAY_MS; (await tryAcquire()) === null; delayMs *= 1.5) {
    await setTimeout(Math.min(delayMs, MAX_POLL_DELAY_MS), undefined, { signal })
  }
}

/**
 * Announces to other instances which images this one still has to upload, so that they do not count as lost.
 *
 * @param pending  Images that are on this machine alone, and are uploaded later.
 */
export function createRedisUploadLeases(
  connection: RedisConnection,
  { pending, onError }: { pending: () => ReadonlySet<ImageName>; onError: (error: unknown) => void },
) {
  async function lease(images: readonly ImageName[]): Promise<void> {
    if (images.length === 0) return
    await connection
      .run(async (redis) => {
        const pipeline = redis.pipeline()
        for (const image of images) pipeline.set(uploadKey(image), '1', 'PX', UPLOAD_LEASE_MS)
        transactionResults(await pipeline.exec())
      })
      .catch(onError)
  }

  const renew = () => void lease([...pending()])
  const timer = setInterval(renew, UPLOAD_RENEWAL_INTERVAL_MS)
  timer.unref()
  // Those that a previous run of this instance has left.
  renew()

  return {
    /** Called before others can find an entry that names these images. */
    announce: (images: readonly ImageName[]): Promise<void> => lease(images.filter((image) => pending().has(image))),
    /** @throws {PageError} `EBUSY` when another instance uploads the image later. */
    async assertNotPending(image: ImageName): Promise<void> {
      const isPending = await connection
        .run((redis) => redis.exists(uploadKey(image)))
        .catch((error: unknown) => {
          onError(error)
          return 0
        })
      if (isPending === 0) return
      throw busyError('The image is on another instance of this service, which uploads it when the image store works')
    },
    close: () => clearInterval(timer),
  }
}
