import { setImmediate } from 'node:timers/promises'
import type { ImageName } from '../image-name.js'
import type { Database } from './database.js'
import type { EntryTable } from './entry-table.js'
import type { ImageFiles } from './image-files.js'
import { ROWS_PER_TRANSACTION } from './open-environment.js'

export interface RepairOptions {
  database: Database
  files: ImageFiles
  entryTable: EntryTable
}

/**
 * Makes image files and their rows consistent after a process was killed or files were lost: removes files without a row,
 * and rows without a file together with the entries that name them.
 *
 * Other processes may use the store at the same time, so each mismatch is checked again inside the transaction that
 * removes it.
 */
export async function repairImages({ database, files, entryTable }: RepairOptions): Promise<void> {
  const fileNames = await files.list()
  const rowNames = new Set(database.images.getKeys())

  await inTransactions(
    database,
    [...fileNames].filter((name) => !rowNames.has(name)),
    (name) => {
      if (!database.images.doesExist(name)) files.remove(name)
    },
  )
  await inTransactions(
    database,
    [...rowNames].filter((name) => !fileNames.has(name)),
    (name) => {
      const size = database.images.get(name)?.size
      if (size !== undefined && !files.has(name, size)) entryTable.deleteLostImage(name)
    },
  )
  await files.removeAbandonedTemporaries()
}

async function inTransactions(database: Database, names: readonly ImageName[], repair: (name: ImageName) => void) {
  for (let start = 0; start < names.length; start += ROWS_PER_TRANSACTION) {
    database.transaction(() => names.slice(start, start + ROWS_PER_TRANSACTION).forEach(repair))
    await setImmediate()
  }
}
