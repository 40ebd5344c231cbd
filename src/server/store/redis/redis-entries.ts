import { pack, unpack } from 'msgpackr'
import { digest } from '../digest.js'
import type { ImageName, CacheEntry } from '../store.js'
import { createRecentEntries } from './recent-entries.js'
import { PREFIX, type RedisLink } from './connect-redis.js'

const answerRow = (id: string) => `${PREFIX}answer:${id}`
/** Which answers name an image, or did. */
const holdersRow = (name: ImageName) => `${PREFIX}holders:${name}`

/**
 * Answers in Redis, each until it expires. What Redis cannot take or give right now is kept in and given from the memory of
 * this instance.
 */
export function createRedisAnswers(link: RedisLink, { clock, onError }: RedisAnswersOptions) {
  const lately = createRecentEntries()

  return {
    async read<Body>(key: string): Promise<CacheEntry<Body> | undefined> {
      const id = digest(key)
      const packed = await link
        .run((redis) => redis.getBuffer(answerRow(id)))
        .catch((error: unknown) => {
          onError(error)
          return lately.get(id)
        })
      const answer = packed ? (unpack(packed) as CacheEntry<Body>) : undefined
      if (!packed || !answer || answer.expiresAt <= clock()) {
        lately.delete(id)
        return undefined
      }
      lately.set(id, { packed, images: answer.images })
      return answer
    },

    async write(key: string, { createdAt, expiresAt, images, body }: CacheEntry): Promise<void> {
      const id = digest(key)
      const packed = pack({ createdAt, expiresAt, images, body })
      const lifeMs = Math.ceil(expiresAt - clock())
      if (lifeMs <= 0) return
      lately.set(id, { packed, images })
      await link
        .run(async (redis) => {
          const writing = redis.multi().set(answerRow(id), packed, 'PX', lifeMs)
          for (const name of images) writing.sadd(holdersRow(name), id).pexpire(holdersRow(name), lifeMs)
          mustHaveWorked(await writing.exec())
        })
        .catch(onError)
    },

    /** Forgets the answers that name an image which turned out to be lost. */
    async forgetImage(name: ImageName): Promise<void> {
      lately.forgetImage(name)
      await link
        .run(async (redis) => {
          for (const id of await redis.smembers(holdersRow(name))) {
            const packed = await redis.getBuffer(answerRow(id))
            // It may name another by now.
            if (packed && (unpack(packed) as CacheEntry).images.includes(name)) await redis.unlink(answerRow(id))
          }
          await redis.unlink(holdersRow(name))
        })
        .catch(onError)
    },
  }
}

export interface RedisAnswersOptions {
  clock: () => number
  onError: (error: unknown) => void
}

/** A transaction says of each command apart whether it failed. */
export function mustHaveWorked(results: readonly [Error | null, unknown][] | null): unknown[] {
  return (results ?? []).map(([error, result]) => {
    if (error) throw error
    return result
  })
}
