import { LRUCache } from 'lru-cache'
import { PREFIX, type RedisLink } from './connect-redis.js'
import { mustHaveWorked } from './redis-entries.js'

const MAX_CLIENTS = 10_000
/** No request comes for a day that is over, wherever the clocks of the instances stand. */
const KEEP_MS = 2 * 86_400_000

const countRow = (day: string, client: string) => `${PREFIX}count:${day}:${client}`

/**
 * Requests by client and day, counted by Redis for all instances together. While it is out of reach each instance goes on
 * counting alone from the last sum it knows; what it counted so is added when Redis is back.
 */
export function createRedisCounters(link: RedisLink, { onError }: { onError: (error: unknown) => void }) {
  const known = new LRUCache<string, number>({ max: MAX_CLIENTS })
  const owed = new LRUCache<string, number>({ max: MAX_CLIENTS })

  const add = (row: string, count: number) =>
    link.run(async (redis) => {
      const [sum] = mustHaveWorked(await redis.multi().incrby(row, count).pexpire(row, KEEP_MS).exec())
      return Number(sum)
    })

  return {
    async count(client: string, day: string): Promise<number> {
      const row = countRow(day, client)
      try {
        const sum = await add(row, 1)
        known.set(row, sum)
        return sum
      } catch (error) {
        onError(error)
        const sum = (known.get(row) ?? 0) + 1
        known.set(row, sum)
        owed.set(row, (owed.get(row) ?? 0) + 1)
        return sum
      }
    },

    async read(client: string, day: string): Promise<number> {
      const row = countRow(day, client)
      try {
        const sum = Number((await link.run((redis) => redis.get(row))) ?? 0)
        known.set(row, sum)
        return sum
      } catch (error) {
        onError(error)
        return known.get(row) ?? 0
      }
    },

    /** Adds what was counted while Redis was out of reach. */
    async settle(): Promise<void> {
      const rows = [...owed.keys()]
      for (const row of rows) {
        const count = owed.get(row) ?? 0
        owed.delete(row)
        try {
          await add(row, count)
        } catch (error) {
          owed.set(row, (owed.get(row) ?? 0) + count)
          throw error
        }
      }
    },
  }
}
