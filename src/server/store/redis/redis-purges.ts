import type { Redis } from 'ioredis'
import { decodeEntry } from '../entry-codec.js'
import type { ImageName } from '../image-name.js'
import { isImageName } from '../image-name.js'
import { parseJson } from '../parse-json.js'
import {
  MAX_LOGGED_PURGES,
  PURGES_PER_READ,
  type FoundItems,
  type LoggedPurge,
  type Purge,
  type PurgeableItem,
  type PurgeSteps,
} from '../purge/purge.js'
import type { RedisConnection } from './connect-redis.js'
import { redisKey } from './redis-key.js'
import { transactionResults } from './transaction-results.js'

export interface RedisPurges extends Pick<PurgeSteps, 'addPurge' | 'readPurges'> {
  findShared(matches: (item: PurgeableItem) => boolean): Promise<FoundItems>
}

const SEQUENCE = redisKey('purge-sequence')
const LOG = redisKey('purges')
/** Longer than any cache entry lives. */
const LOG_TTL_MS = 32 * 86_400_000
const KEYS_PER_SCAN = 500

/** One command, so that the rows are in the order of their numbers. */
const ADD = `local sequence = redis.call('incr', KEYS[1])
redis.call('zadd', KEYS[2], sequence, sequence .. ' ' .. ARGV[1])
redis.call('zremrangebyrank', KEYS[2], 0, -1 - ARGV[2])
redis.call('pexpire', KEYS[1], ARGV[3])
redis.call('pexpire', KEYS[2], ARGV[3])
return sequence`

/** The log of purges in Redis, which all instances read, and what Redis has of the purged pages. */
export function createRedisPurges(connection: RedisConnection): RedisPurges {
  return {
    async addPurge(purge) {
      const row = JSON.stringify(purge)
      await connection.run((redis) => redis.eval(ADD, 2, SEQUENCE, LOG, row, MAX_LOGGED_PURGES, LOG_TTL_MS))
    },

    async readPurges(after) {
      const [last, rows] = await connection.run(async (redis) =>
        transactionResults(
          await redis
            .multi()
            .get(SEQUENCE)
            .zrangebyscore(LOG, after + 1, '+inf', 'LIMIT', 0, PURGES_PER_READ)
            .exec(),
        ),
      )
      return { last: Number(last ?? 0), purges: (rows as string[]).flatMap(parseRow) }
    },

    async findShared(matches) {
      const ids = new Set<string>()
      const images = new Set<ImageName>()
      await connection.run(async (redis) => {
        await scan(redis, 'entry', async (names) => {
          const packed = await redis.mgetBuffer(names.map((id) => redisKey('entry', id)))
          names.forEach((id, index) => {
            const bytes = packed[index]
            const entry = bytes && decodeEntry(bytes)
            if (!entry || !matches(entry)) return
            ids.add(id)
            for (const name of entry.images) images.add(name)
          })
        })
        // Images of entries that were replaced can still be requested.
        if (ids.size) await scan(redis, 'references', (names) => addImagesOf(redis, names, { ids, images }))
      })
      return { ids: [...ids], images: [...images] }
    },
  }
}

async function addImagesOf(
  redis: Redis,
  names: string[],
  { ids, images }: { ids: ReadonlySet<string>; images: Set<ImageName> },
): Promise<void> {
  const pipeline = redis.pipeline()
  for (const name of names) pipeline.smembers(redisKey('references', name))
  const members = transactionResults(await pipeline.exec()) as string[][]
  names.forEach((name, index) => {
    if (isImageName(name) && members[index]!.some((id) => ids.has(id))) images.add(name)
  })
}

/** Visits the rests of all keys that begin with a part, in batches. */
async function scan(redis: Redis, part: string, visit: (rests: string[]) => Promise<void>): Promise<void> {
  // `MATCH` is a pattern, and gets no prefix from the client.
  const prefix = `${redis.options.keyPrefix ?? ''}${redisKey(part, '')}`
  const pattern = `${prefix.replace(/[*?[\]\\]/g, String.raw`\$&`)}*`
  let cursor = '0'
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', KEYS_PER_SCAN)
    if (keys.length) await visit(keys.map((key) => key.slice(prefix.length)))
    cursor = next
  } while (cursor !== '0')
}

function parseRow(row: string): LoggedPurge[] {
  const space = row.indexOf(' ')
  const purge = parseJson(row.slice(space + 1))
  if (typeof purge !== 'object' || purge === null) return []
  return [{ sequence: Number(row.slice(0, space)), purge: purge as Purge }]
}
