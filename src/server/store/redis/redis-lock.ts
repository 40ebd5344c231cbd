import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { digest } from '../digest.js'
import type { RedisConnection } from './connect-redis.js'
import { redisKey } from './redis-key.js'

export interface LockOptions {
  signal: AbortSignal
  onError: (error: unknown) => void
}

/** How long after the crash of its holder another instance acquires the lock. */
const LOCK_TTL_MS = 5_000
const FIRST_POLL_DELAY_MS = 20
const MAX_POLL_DELAY_MS = 150

/** Both scripts check the token, because the lock may have expired and belong to another instance by now. */
const EXTEND = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0`
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`

/**
 * Runs `work` while holding the lock of a key, so that only one instance does. The lock is extended while the work runs and
 * expires soon after a crash. While Redis is unreachable, the work runs without the lock, because doing it twice is
 * better than not at all.
 *
 * @throws  the reason of the signal when it aborts before the lock is acquired; the error of `work`.
 */
export async function withRedisLock<Result>(
  connection: RedisConnection,
  key: string,
  work: () => Promise<Result>,
  { signal, onError }: LockOptions,
): Promise<Result> {
  const lock = { key: redisKey('lock', digest(key)), token: randomUUID() }
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
}

async function acquire(connection: RedisConnection, lock: { key: string; token: string }, signal: AbortSignal) {
  const tryAcquire = () => connection.run((redis) => redis.set(lock.key, lock.token, 'PX', LOCK_TTL_MS, 'NX'))
  for (let delayMs = FIRST_POLL_DELAY_MS; (await tryAcquire()) === null; delayMs *= 1.5) {
    await setTimeout(Math.min(delayMs, MAX_POLL_DELAY_MS), undefined, { signal })
  }
}
