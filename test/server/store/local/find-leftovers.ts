import SQLite from 'better-sqlite3'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
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
  const cache = new SQLite(dataFiles(dataDir).database)
  try {
    const count = (query: string) => cache.prepare(query).pluck().get()
    return {
      bytes: count('SELECT bytes FROM total'),
      rows: ['entry', 'image', 'reference', 'owner_total'].map((table) => count(`SELECT count(*) FROM ${table}`)),
      check: count('PRAGMA integrity_check'),
      files: await listImageFiles(dataDir),
    }
  } finally {
    cache.close()
  }
}

export const noLeftovers = { bytes: 0, rows: [0, 0, 0, 0], check: 'ok', files: [] }
