import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { digest } from '../digest.js'
import { PREFIX, type RedisLink } from './connect-redis.js'

/** So long after the crash of an instance the others go on with what it was making. */
const LOCK_MS = 5_000
const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 150

/** Only whoever holds a lock may change it. */
const EXTEND = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0`
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`

export interface LockOptions {
  signal: AbortSignal
  onError: (error: unknown) => void
}

/**
 * Runs work for a key while no other instance does; waits for its turn. A lock is prolonged while the work runs, and lapses
 * soon after a crash. While Redis is out of reach the work is done without one: better twice than not at all.
 *
 * @throws  the reason of the signal when that aborts before it was its turn; whatever the work throws.
 */
export async function withRedisLock<Result>(
  link: RedisLink,
  key: string,
  work: () => Promise<Result>,
  { signal, onError }: LockOptions,
): Promise<Result> {
  const row = `${PREFIX}lock:${digest(key)}`
  const holder = randomUUID()
  const isTaken = () => link.run((redis) => redis.set(row, holder, 'PX', LOCK_MS, 'NX')).then((set) => set === null)

  try {
    for (let pauseMs = FIRST_PAUSE_MS; await isTaken(); pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
      await setTimeout(pauseMs, undefined, { signal })
    }
  } catch (error) {
    signal.throwIfAborted()
    onError(error)
    return work()
  }
  const timer = setInterval(() => {
    link.run((redis) => redis.eval(EXTEND, 1, row, holder, LOCK_MS)).catch(onError)
  }, LOCK_MS / 3)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await link.run((redis) => redis.eval(RELEASE, 1, row, holder)).catch(onError)
  }
}
