import type { Store } from '../store.js'
import { ROWS_PER_TRANSACTION, type Database } from './database.js'

/** The request counters of a local store. */
export function createLocalCounters(database: Database): Pick<Store, 'countRequest' | 'readCount'> {
  const { counts } = database
  return {
    async countRequest(client, day, count = 1) {
      return database.growingTransaction(() => {
        const expired = [...counts.getKeys({ start: [''], end: [day], limit: ROWS_PER_TRANSACTION })]
        for (const row of expired) counts.removeSync(row)
        const sum = (counts.get([day, client]) ?? 0) + count
        counts.putSync([day, client], sum)
        return sum
      })
    },
    readCount: async (client, day) => counts.get([day, client]) ?? 0,
  }
}
