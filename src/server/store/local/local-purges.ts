import { setImmediate } from 'node:timers/promises'
import { decodeEntry } from '../cache-entry.js'
import { MAX_LOGGED_PURGES, parsePurge, PURGES_PER_READ, type PurgeSteps } from '../purges.js'
import { isImageName, type ImageName } from '../stored-image.js'
import type { Database } from './database.js'
import type { EntryTable } from './entry-table.js'

/** Rows that are read before requests are served again. */
const ROWS_PER_READ = 200

/** The purges of a local store; other processes may use the same folder. */
export function createLocalPurges({
  database,
  entryTable,
}: {
  database: Database
  entryTable: EntryTable
}): PurgeSteps {
  const { purges, entries, images } = database

  return {
    async addPurge(purge) {
      database.transaction(() => {
        purges.putSync(lastKey(purges) + 1, JSON.stringify(purge))
        if (purges.getKeysCount({}) > MAX_LOGGED_PURGES) purges.removeSync([...purges.getKeys({ limit: 1 })][0]!)
      })
    },

    async readPurges(after) {
      database.refresh()
      const rows = [...purges.getRange({ start: after + 1, limit: PURGES_PER_READ })]
      return { last: lastKey(purges), purges: rows.flatMap(({ key, value }) => parsePurge(key, value)) }
    },

    async findItems(matches) {
      const ids: string[] = []
      const found = new Set<ImageName>()
      await visitRows(entries, (id, bytes) => {
        const entry = decodeEntry(bytes)
        if (!entry || !matches(entry)) return
        ids.push(id)
        for (const name of entry.images) found.add(name)
      })
      await visitRows(images, (name, record) => {
        if (isImageName(name) && matches(record)) found.add(name)
      })
      return { ids, images: [...found] }
    },

    deleteEntries: (ids) => database.changeEach(ids, (id) => entryTable.delete(id, () => false)),
    deleteImages: (names) => database.changeEach(names, (name) => entryTable.deleteLostImage(name)),
  }
}

const lastKey = (purges: Database['purges']) => [...purges.getKeys({ reverse: true, limit: 1 })][0] ?? 0

interface Table<Value> {
  getRange(options: { start?: string; limit: number }): Iterable<{ key: unknown; value: Value }>
}

/** Visits all rows in small batches, between which requests are served and other rows may come and go. */
async function visitRows<Value>(table: Table<Value>, visit: (key: string, value: Value) => void): Promise<void> {
  let last: string | undefined
  for (;;) {
    let count = 0
    for (const row of table.getRange({ ...(last !== undefined && { start: last }), limit: ROWS_PER_READ })) {
      const key = String(row.key)
      if (key !== last) visit(key, row.value)
      last = key
      count++
    }
    if (count < ROWS_PER_READ) return
    await setImmediate()
  }
}
