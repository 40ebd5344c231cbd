import { parseJson } from '../parse-json.js'
import type { Store } from '../store.js'
import type { KeyDatabase } from './key-database.js'
import { ROWS_PER_TRANSACTION } from './open-environment.js'

/** The request counters of a local store. */
export function createLocalCounters(database: KeyDatabase): Pick<Store, 'countRequest' | 'readCount'> {
  const { counts } = database
  const read = (client: string, day: string): number => {
    const sum = parseJson(counts.get([day, client]) ?? '')
    return typeof sum === 'number' && Number.isSafeInteger(sum) ? sum : 0
  }
  return {
    async countRequest(client, day, count = 1) {
      return database.addData(() => {
        const expired = [...counts.getKeys({ start: [''], end: [day], limit: ROWS_PER_TRANSACTION })]
        for (const row of expired) counts.removeSync(row)
        const sum = read(client, day) + count
        counts.putSync([day, client], JSON.stringify(sum))
        return sum
      })
    },
    readCount: async (client, day) => read(client, day),
  }
}
