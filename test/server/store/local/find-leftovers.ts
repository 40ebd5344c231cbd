import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../../../../src/server/store/local/cache-database.js'
import { dataFiles } from '../../../../src/server/store/index.js'
import { openLocalStore } from '../../../../src/server/store/local/open-local-store.js'

/** Names of all image files on the disk, sorted, without temporary files. */
export async function listImageFiles(dataDir: string): Promise<string[]> {
  const names = await readdir(join(dataDir, 'images'), { recursive: true })
  return names.flatMap((name) => name.match(/^[0-9a-f]{2}\/(.+)$/)?.[1] ?? []).toSorted()
}

/**
 * Reopens the store with a size of zero, which evicts everything. Bytes, rows and files that are left afterwards were counted
 * wrongly or leaked.
 */
export async function findLeftovers(dataDir: string) {
  await (await openLocalStore({ dataDir, maxBytes: 0 })).close()
  const { database: path, databaseLock: lockPath } = dataFiles(dataDir)
  const database = openDatabase({ path, lockPath, reserveBytes: 0 })
  const { entries, images, references, positions, order, totals } = database
  try {
    return {
      bytes: totals.get('bytes') ?? 0,
      totals: [...totals.getKeys()].filter((name) => name !== 'bytes'),
      rows: [entries, images, references, positions, order].map((table) => table.getKeysCount()),
      files: await listImageFiles(dataDir),
    }
  } finally {
    await database.close()
  }
}

export const noLeftovers = { bytes: 0, totals: [], rows: [0, 0, 0, 0, 0], files: [] }
