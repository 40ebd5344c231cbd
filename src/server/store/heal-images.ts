import { setImmediate } from 'node:timers/promises'
import type { Database } from './database.js'
import type { ImageFiles } from './image-files.js'
import type { CacheTable } from './cache-table.js'
import type { ImageName } from './store.js'

/**
 * Brings files and rows together again after a process was killed or files were lost: files that no row knows are removed,
 * rows without a file are forgotten with the answers that name them. Other processes may be at work meanwhile: each finding
 * is looked at again under the lock of a transaction.
 */
export async function healImages(options: {
  database: Database
  files: ImageFiles
  cacheTable: CacheTable
  rowsAChange: number
}): Promise<void> {
  const { database, files, cacheTable, rowsAChange } = options
  const found = await files.list()
  const known = new Set(database.images.getKeys())

  await inSteps(
    [...found].filter((name) => !known.has(name)),
    (name) => {
      if (!database.images.doesExist(name)) files.remove(name)
    },
  )
  await inSteps(
    [...known].filter((name) => !found.has(name)),
    (name) => {
      const size = database.images.get(name)?.size
      if (size !== undefined && !files.has(name, size)) cacheTable.loseImage(name)
    },
  )
  await files.removeOldTemporaries()

  async function inSteps(names: ImageName[], heal: (name: ImageName) => void) {
    for (let start = 0; start < names.length; start += rowsAChange) {
      database.change(() => names.slice(start, start + rowsAChange).forEach(heal))
      await setImmediate()
    }
  }
}
