import { stat } from 'node:fs/promises'
import { checkDatabase } from './check-database.js'
import { createDatabaseFiles } from './open-environment.js'
import { setAside } from './set-aside.js'

export interface ReplaceDamagedOptions {
  lockPath: string
  /** Whether to return the rows that can be read. */
  withRows: boolean
  clock: () => number
}

/** A database file that was set aside. */
export interface DamagedDatabase {
  /** Its new path. */
  path: string
  reason: string
  /** `rows` of the `DatabaseCheck`. */
  rows: string[]
}

/**
 * Sets a database file aside when it cannot be read as a whole, so that a new one can take its place.
 *
 * @returns  `undefined` when the file is intact, new or missing.
 */
export async function replaceDamaged(
  path: string,
  { lockPath, withRows, clock }: ReplaceDamagedOptions,
): Promise<DamagedDatabase | undefined> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isFile() || stats.size === 0) return undefined
  // Before lmdb does, which would let everybody read it.
  createDatabaseFiles(path, lockPath)
  const { isDamaged, reason, rows } = await checkDatabase(path, { size: stats.size, withRows })
  if (!isDamaged) return undefined
  return { path: await setAside(path, { lockPath, inode: stats.ino, now: clock() }), reason, rows }
}
