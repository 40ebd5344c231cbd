import { parseJson } from '../parse-json.js'
import type { ApiKeyStore } from '../store.js'
import { firstUsageDay } from '../usage-days.js'
import type { KeyDatabase } from './key-database.js'

/** The usage of API keys in a local store. */
export function createLocalKeyUsage(database: KeyDatabase): Pick<ApiKeyStore, 'countUsage' | 'readUsage'> {
  const { usage } = database
  const read = (id: string, day: string): number => {
    const sum = parseJson(usage.get([id, day]) ?? '')
    return typeof sum === 'number' && Number.isSafeInteger(sum) ? sum : 0
  }
  return {
    async countUsage(id, day, count = 1) {
      return database.addData(() => {
        const expired = [...usage.getKeys({ start: [id, ''], end: [id, firstUsageDay(day)] })]
        for (const row of expired) usage.removeSync(row)
        const sum = read(id, day) + count
        usage.putSync([id, day], JSON.stringify(sum))
        return sum
      })
    },
    async readUsage(id, days) {
      database.refresh()
      return days.map((day) => read(id, day))
    },
  }
}
