import type SQLite from 'better-sqlite3'
import { firstUsageDay, parseApiKey, type ApiKeyRecord } from '../api-keys.js'
import { openDatabaseFile, type DatabaseFile, type Replacement } from './database-file.js'
import { readTableRows, type TableRow } from './read-damaged-file.js'

/** `api_key.json` is an `ApiKeyRecord`. Days are `YYYY-MM-DD`, UTC. */
const SCHEMA = `
  CREATE TABLE api_key (id TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;
  CREATE TABLE usage (
    id TEXT NOT NULL, day TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (id, day)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE request_count (
    day TEXT NOT NULL, client TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (day, client)
  ) STRICT, WITHOUT ROWID;`

/** Raised with every change to the schema; a file with a higher one is refused, because its keys are not a cache. */
const VERSION = 1
/** Counters of earlier days that one request deletes. */
const EXPIRED_PER_COUNT = 25
const DAY = /^\d{4}-\d\d-\d\d$/

export type KeyDatabase = DatabaseFile<KeyTables>

export type KeyTables = ReturnType<typeof prepareKeys>

/** What can be read of a database that is damaged or was removed. */
interface RescuedRows {
  keys: ApiKeyRecord[]
  usage: [id: string, day: string, count: number][]
  requestCounts: [day: string, client: string, count: number][]
}

/**
 * Opens the database of what is not a cache: API keys, their usage and request counters. Keys are committed with FULL; counters
 * with NORMAL, because waiting for the disk with each request would block all others, and what a power cut takes of them is a few
 * requests of a daily limit.
 *
 * @param options.onReplaced  Receives what was lost, and a sentence for the operator.
 */
export const openKeyDatabase = (
  path: string,
  {
    onReplaced,
    ...options
  }: { reserveBytes: number; clock: () => number; onReplaced: (replacement: Replacement, message: string) => void },
): KeyDatabase =>
  openDatabaseFile<KeyTables>(
    {
      path,
      schema: SCHEMA,
      version: VERSION,
      // A stale copy of a key in a free page could undo its revocation when keys are rescued.
      pragmas: ['secure_delete=ON'],
      maxCheckedPages: Infinity,
      isNewerRefused: true,
      prepare: prepareKeys,
      rescue: (tables) => [tables.readAll()],
      copy: (tables): RescuedRows => ({ keys: tables.listKeys(), usage: [], requestCounts: [] }),
      onReplaced(replacement, tables) {
        const { asidePath, damage } = replacement
        const fromFile = asidePath === undefined ? [] : [sortRows(readTableRows(asidePath))]
        for (const rows of [...(replacement.rescued as RescuedRows[]), ...fromFile]) tables.restore(rows)
        const { keys, usage, requestCounts } = tables.readAll()
        const restored = `${keys.length} keys and ${usage.length + requestCounts.length} counters`
        onReplaced(
          replacement,
          damage === undefined
            ? `The API keys and request counters ${path} were removed or replaced; ${restored} are in use again.`
            : `The API keys and request counters ${path} are damaged (${damage})` +
                `${asidePath === undefined ? '' : ` and were set aside as ${asidePath}`}. ` +
                `${restored} could be read and are in use again; create the other keys again.`,
        )
      },
    },
    options,
  )

/** The statements of the keys. Those that change rows belong inside a transaction. */
function prepareKeys(connection: SQLite.Database) {
  const keyRow = connection.prepare<[id: string], string>('SELECT json FROM api_key WHERE id = ?').pluck()
  const keyRows = connection.prepare<[], string>('SELECT json FROM api_key').pluck()
  const putKey = connection.prepare<[id: string, json: string]>(
    'INSERT INTO api_key VALUES (?, ?) ON CONFLICT DO UPDATE SET json = excluded.json',
  )
  const usageRow = connection
    .prepare<[string, string], number>('SELECT count FROM usage WHERE id = ? AND day = ?')
    .pluck()
  const usageRows = connection.prepare<[], [string, string, number]>('SELECT id, day, count FROM usage').raw()
  const addUsage = connection
    .prepare<[string, string, number], number>(
      `INSERT INTO usage VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET count = count + excluded.count RETURNING count`,
    )
    .pluck()
  const expireUsage = connection.prepare<[id: string, firstDay: string]>('DELETE FROM usage WHERE id = ? AND day < ?')
  const countRow = connection
    .prepare<[string, string], number>('SELECT count FROM request_count WHERE day = ? AND client = ?')
    .pluck()
  const countRows = connection
    .prepare<[], [string, string, number]>('SELECT day, client, count FROM request_count')
    .raw()
  const addCount = connection
    .prepare<[string, string, number], number>(
      `INSERT INTO request_count VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET count = count + excluded.count RETURNING count`,
    )
    .pluck()
  const expireCounts = connection.prepare<[day: string]>(
    `DELETE FROM request_count WHERE (day, client) IN
       (SELECT day, client FROM request_count WHERE day < ? ORDER BY day LIMIT ${EXPIRED_PER_COUNT})`,
  )
  const restoreUsage = connection.prepare<[string, string, number]>('INSERT OR IGNORE INTO usage VALUES (?, ?, ?)')
  const restoreCount = connection.prepare<[string, string, number]>(
    'INSERT OR IGNORE INTO request_count VALUES (?, ?, ?)',
  )

  const readKey = (id: string): ApiKeyRecord | undefined => parseApiKey(keyRow.get(id) ?? '')
  const writeKey = (key: ApiKeyRecord): void => void putKey.run(key.id, JSON.stringify(key))

  return {
    readKey,
    writeKey,
    /** Oldest first. */
    listKeys: (): ApiKeyRecord[] =>
      keyRows
        .all()
        .flatMap((json) => parseApiKey(json) ?? [])
        .toSorted((a, b) => a.createdAt - b.createdAt),
    countUsage(id: string, day: string, count: number): number {
      expireUsage.run(id, firstUsageDay(day))
      return addUsage.get(id, day, count) ?? 0
    },
    readUsage: (id: string, day: string): number => usageRow.get(id, day) ?? 0,
    countRequest(client: string, day: string, count: number): number {
      expireCounts.run(day)
      return addCount.get(day, client, count) ?? 0
    },
    readCount: (client: string, day: string): number => countRow.get(day, client) ?? 0,
    /** All rows that can be read, although others may be damaged. */
    readAll: (): RescuedRows => ({
      keys: readableRows(keyRows).flatMap((json) => parseApiKey(json) ?? []),
      usage: readableRows(usageRows),
      requestCounts: readableRows(countRows),
    }),
    /** Adds rows of a database that was lost. Existing rows stay, but a key that is revoked here or there is revoked. */
    restore({ keys, usage, requestCounts }: RescuedRows): void {
      for (const key of keys) {
        const existing = readKey(key.id)
        if (!existing || (existing.revokedAt === undefined && key.revokedAt !== undefined)) writeKey(key)
      }
      for (const row of usage) restoreUsage.run(...row)
      for (const row of requestCounts) restoreCount.run(...row)
    },
  }
}

function readableRows<Row>(statement: SQLite.Statement<[], Row>): Row[] {
  const rows: Row[] = []
  try {
    for (const row of statement.iterate()) rows.push(row)
  } catch {
    // The rows before the damage were read.
  }
  return rows
}

/** Assigns rows of a file without its schema to their tables, by what is in them. */
function sortRows(rows: readonly TableRow[]): RescuedRows {
  const rescued: RescuedRows = { keys: [], usage: [], requestCounts: [] }
  for (const [first, second, third] of rows) {
    if (typeof first !== 'string' || typeof second !== 'string') continue
    const key = parseApiKey(second)
    if (key?.id === first) rescued.keys.push(key)
    else if (typeof third !== 'number' || !Number.isSafeInteger(third)) continue
    else if (DAY.test(second)) rescued.usage.push([first, second, third])
    else if (DAY.test(first)) rescued.requestCounts.push([first, second, third])
  }
  return rescued
}
