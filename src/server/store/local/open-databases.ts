import { stat } from 'node:fs/promises'
import { dataFiles } from '../data-dir.js'
import { parseJson } from '../parse-json.js'
import { openDatabase, type Database } from './database.js'
import { openKeyDatabase, type KeyDatabase, type KeyDatabaseRow } from './key-database.js'
import { replaceDamaged, setAside, type DamagedDatabase } from './replace-damaged.js'

/** The databases of a data folder: the cache, and the keys and counters. */
export interface Databases {
  database: Database
  keyDatabase: KeyDatabase
}

/**
 * Opens the databases of a data folder; damaged ones are set aside and replaced by empty ones with the keys that remain.
 *
 * @param options.onDamaged  Receives a sentence for each file that was set aside.
 */
export async function openDatabases({
  dataDir,
  reserveBytes,
  clock,
  onDamaged,
}: {
  dataDir: string
  reserveBytes: number
  clock: () => number
  onDamaged: (message: string) => void
}): Promise<Databases> {
  const paths = dataFiles(dataDir)
  const cache = { path: paths.database, lockPath: paths.databaseLock, reserveBytes }
  const keys = { path: paths.keyDatabase, lockPath: paths.keyDatabaseLock, reserveBytes }
  const [damagedCache, damagedKeys] = await Promise.all([
    replaceDamaged(cache.path, { lockPath: cache.lockPath, withRows: false, clock }),
    replaceDamaged(keys.path, { lockPath: keys.lockPath, withRows: true, clock }),
  ])
  if (damagedCache) onDamaged(cacheMessage(cache.path, damagedCache))
  const keyDatabase = openKeyDatabase(keys)
  try {
    if (damagedKeys) {
      const rows = damagedKeys.rows.flatMap(parseRow)
      keyDatabase.addRows(rows)
      onDamaged(keysMessage(keys.path, damagedKeys, rows))
    }
    return { keyDatabase, database: openDatabase(cache) }
  } catch (error) {
    await keyDatabase.close()
    throw error
  }
}

/** Sets the cache aside, so that an empty one takes its place. @returns A sentence for the operator. */
export async function setCacheAside(
  dataDir: string,
  { reason, now }: { reason: string; now: number },
): Promise<string> {
  const { database: path, databaseLock: lockPath } = dataFiles(dataDir)
  const { ino: inode } = await stat(path)
  return cacheMessage(path, { path: await setAside(path, { lockPath, inode, now }), reason, rows: [] })
}

const cacheMessage = (path: string, damaged: DamagedDatabase) =>
  `The cache ${path} is damaged (${damaged.reason}) and was set aside as ${damaged.path}. All cached results and images are ` +
  'lost; API keys and request counters are not in it.'

function keysMessage(path: string, damaged: DamagedDatabase, rows: readonly KeyDatabaseRow[]): string {
  const [keys, counters] = ['keys', 'counts'].map((name) => rows.filter(([table]) => table === name).length)
  return (
    `The API keys and request counters ${path} are damaged (${damaged.reason}) and were set aside as ${damaged.path}. ` +
    `${keys} keys and ${counters} counters could be read and are in use again; create the other keys again.`
  )
}

function parseRow(text: string): KeyDatabaseRow[] {
  const row = parseJson(text)
  if (!Array.isArray(row)) return []
  const [table, key, json]: unknown[] = row
  return typeof table === 'string' && typeof json === 'string' ? [[table, key, json]] : []
}
