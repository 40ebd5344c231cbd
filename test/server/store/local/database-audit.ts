import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../../../../src/server/store/local/database.js'
import { openLocalStore } from '../../../../src/server/store/index.js'

/** Names of all image files on the disk, in order; without half-written ones. */
export async function imageFiles(dataDir: string): Promise<string[]> {
  const names = await readdir(join(dataDir, 'images'), { recursive: true })
  return names.flatMap((name) => name.match(/^[0-9a-f]{2}\/(.+)$/)?.[1] ?? []).toSorted()
}

/** Opens the store with room for nothing; what is counted or lying about afterwards was counted or kept wrongly. */
export async function leftoversWithoutRoom(dataDir: string) {
  await (await openLocalStore({ dataDir, maxBytes: 0 })).close()
  const database = openDatabase(join(dataDir, 'store.mdb'), 0)
  try {
    return {
      bytes: database.totals.get('bytes') ?? 0,
      rows: [database.entries, database.images, database.references, database.positions, database.order].map((table) =>
        table.getKeysCount(),
      ),
      files: await imageFiles(dataDir),
    }
  } finally {
    await database.close()
  }
}

export const nothingLeft = { bytes: 0, rows: [0, 0, 0, 0, 0], files: [] }
