import { execFile } from 'node:child_process'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { dataFiles } from '../data-dir.js'
import { parseJson } from '../parse-json.js'
import { openDatabase } from './cache-database.js'
import { createDatabaseFiles, openEnvironment, type EnvironmentOptions } from './open-environment.js'

/** A database file that was set aside. */
interface DamagedDatabase {
  /** Its new path. */
  path: string
  reason: string
  /** `rows` of the `DatabaseCheck`. */
  rows: string[]
}

/** What a walk through a database file has found. */
interface DatabaseCheck {
  isDamaged: boolean
  /** In a few words: a signal such as `SIGBUS`, or the error of lmdb. */
  reason: string
  /** One JSON text `[table, key, value]` for each row that was read, if they were asked for. */
  rows: string[]
}

const CRASHES = new Set(['SIGBUS', 'SIGSEGV', 'SIGABRT', 'SIGFPE', 'SIGILL', 'SIGKILL'])
const DAMAGED = 3
const MIN_TIMEOUT_MS = 10_000
/** A tenth of what a slow disk reads. */
const BYTES_PER_MS = 5_000
/** What is written before each abort must fit into the memory. */
const BATCH_ROWS = 2_000
const MAX_ROWS_BYTES = 256 * 1024 * 1024
const MAX_DAMAGED_FILES = 2

/**
 * Reads and counts all rows, and writes each again in a transaction that is aborted, because some damage crashes only who
 * writes. It is passed as text, because Node loads no TypeScript.
 */
const WALK = `
import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
const [lmdb, path, withRows] = process.argv.slice(1)
const { open, ABORT } = createRequire(lmdb)(lmdb)
function walk(root) {
  for (const name of [...root.getKeys()]) {
    const table = root.openDB({ name, encoding: 'binary' })
    let count = 0
    let batch = []
    for (const row of table.getRange()) {
      count++
      if (withRows) writeSync(1, JSON.stringify([name, row.key, row.value.toString()]) + '\\n')
      batch.push(row)
      if (batch.length === ${BATCH_ROWS}) rewrite(root, table, batch.splice(0))
    }
    rewrite(root, table, batch)
    if (count !== table.getStats().entryCount) throw new Error('rows are missing in ' + name)
  }
}
function rewrite(root, table, rows) {
  root.transactionSync(() => {
    for (const { key, value } of rows) table.putSync(key, value)
    return ABORT
  })
}
try {
  const root = open({ path, maxDbs: 16, overlappingSync: false })
  walk(root)
  await root.close()
} catch (error) {
  writeSync(2, String(error.message))
  process.exit(/^(EACCES|EPERM|ENOSPC|EMFILE|ENOMEM)|MDB_READERS_FULL/.test(error.code ?? error.message) ? 1 : ${DAMAGED})
}
`

/**
 * Opens the databases of a data folder, the cache apart from the keys and counters; damaged ones are set aside and replaced by empty ones with the keys that remain.
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
}) {
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

/** Name of the table, key and JSON of a row. */
type KeyDatabaseRow = readonly [table: string, key: unknown, json: string]

/** The tables that are not a cache: API keys, their usage and request counters. Values are JSON. */
function openKeyDatabase(options: EnvironmentOptions) {
  const { root, ...environment } = openEnvironment(options)
  const counts = root.openDB<string, [day: string, client: string]>({ name: 'counts', encoding: 'string' })
  const apiKeys = root.openDB<string, string>({ name: 'keys', encoding: 'string' })
  const usage = root.openDB<string, [id: string, day: string]>({ name: 'usage', encoding: 'string' })
  return {
    ...environment,
    counts,
    apiKeys,
    usage,

    rows: (): KeyDatabaseRow[] => [
      ...[...apiKeys.getRange()].map(({ key, value }) => ['keys', key, value] as const),
      ...[...counts.getRange()].map(({ key, value }) => ['counts', key, value] as const),
      ...[...usage.getRange()].map(({ key, value }) => ['usage', key, value] as const),
    ],

    /** Adds rows of a database that was lost; existing rows stay. */
    addRows(rows: readonly KeyDatabaseRow[]): void {
      environment.transaction(() => {
        for (const [table, key, json] of rows) {
          if (table === 'keys' && typeof key === 'string' && !apiKeys.doesExist(key)) apiKeys.putSync(key, json)
          if (table === 'usage' && isCounterKey(key) && !usage.doesExist(key)) usage.putSync(key, json)
          if (table === 'counts' && isCounterKey(key) && !counts.doesExist(key)) counts.putSync(key, json)
        }
      })
    },
  }
}

const isCounterKey = (key: unknown): key is [string, string] =>
  Array.isArray(key) && key.length === 2 && key.every((part) => typeof part === 'string')

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

/**
 * Sets a database file aside when it cannot be read as a whole, so that a new one can take its place.
 *
 * @param options.withRows  Whether to return the rows that can be read.
 * @returns  `undefined` when the file is intact, new or missing.
 */
async function replaceDamaged(
  path: string,
  { lockPath, withRows, clock }: { lockPath: string; withRows: boolean; clock: () => number },
): Promise<DamagedDatabase | undefined> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isFile() || stats.size === 0) return undefined
  // Before lmdb does, which would let everybody read it.
  createDatabaseFiles(path, lockPath)
  const { isDamaged, reason, rows } = await checkDatabase(path, { size: stats.size, withRows })
  if (!isDamaged) return undefined
  return { path: await setAside(path, { lockPath, inode: stats.ino, now: clock() }), reason, rows }
}

/**
 * Reads a database file as a whole in a child process, because lmdb crashes the process that reads a truncated or damaged
 * one: file and pages carry no checksums.
 *
 * @param options.withRows  Whether to return the rows, also those before the place of the damage.
 */
async function checkDatabase(
  path: string,
  { size, withRows }: { size: number; withRows: boolean },
): Promise<DatabaseCheck> {
  const args = [
    '--input-type=module',
    '--eval',
    WALK,
    createRequire(import.meta.url).resolve('lmdb'),
    path,
    ...(withRows ? ['rows'] : []),
  ]
  return new Promise((resolve) => {
    const options = {
      // A library path is all that Node may need, and the environment contains secrets.
      env: { LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH },
      timeout: MIN_TIMEOUT_MS + Math.ceil(size / BYTES_PER_MS),
      killSignal: 'SIGKILL',
      maxBuffer: MAX_ROWS_BYTES,
    } as const
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const isCrash = CRASHES.has(error?.signal ?? '') || error?.code === DAMAGED
      const reason = error?.signal ?? (stderr.slice(0, 200) || 'unknown')
      resolve({ isDamaged: isCrash, reason, rows: stdout.split('\n').filter(Boolean) })
    })
  })
}

/**
 * Renames a damaged database to `NAME.damaged-TIME`, so that it can be examined, and removes all but the last two.
 *
 * @param options.inode  Inode of the file that was found damaged: another process may have replaced it since.
 * @returns              The new path.
 */
async function setAside(
  path: string,
  { lockPath, inode, now }: { lockPath: string; inode: number; now: number },
): Promise<string> {
  const aside = `${path}.damaged-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`
  if ((await stat(path)).ino === inode) {
    await rename(path, aside)
    await rm(lockPath, { force: true })
  }
  await removeOldest(path)
  return aside
}

async function removeOldest(path: string): Promise<void> {
  const prefix = `${basename(path)}.damaged-`
  const names = (await readdir(dirname(path))).filter((name) => name.startsWith(prefix)).toSorted()
  for (const name of names.slice(0, -MAX_DAMAGED_FILES)) await rm(join(dirname(path), name), { force: true })
}
