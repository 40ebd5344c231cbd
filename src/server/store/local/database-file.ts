import SQLite from 'better-sqlite3'
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
  type Stats,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { refusalOfNode } from '../../../command-line/node-version.js'
import { hasErrorCode } from '../../node-errors.js'
import { databaseFiles } from '../data-dir.js'

/** How long a commit lasts after a power cut: FULL waits for the disk, NORMAL may lose the last ones. Both survive a crash. */
type Durability = 'FULL' | 'NORMAL'

/** What is in one SQLite file, and what happens when the file is lost. */
export interface DatabaseDefinition<Tables> {
  path: string
  /** Creates the tables in an empty file. */
  schema: string
  /** `user_version` of the file. */
  version: number
  /** Settings of each connection. */
  pragmas: readonly string[]
  /** Pages that a check at opening reads at most. */
  maxCheckedPages: number
  /** Whether a file that a newer version wrote is an error for the operator; otherwise it is set aside. */
  isNewerRefused: boolean
  /** Prepares the statements; called for each connection. */
  prepare: (connection: SQLite.Database) => Tables
  /** Reads what has to outlive a damaged or removed file, as far as it can be read. */
  rescue?: (tables: Tables) => unknown[]
  /** Reads what is held in memory too, in case that all files are damaged at once. */
  copy?: (tables: Tables) => unknown
  /** Called when an empty file has taken the place of a damaged or removed one. It may write to `tables`. */
  onReplaced: (replacement: Replacement, tables: Tables) => void
}

export interface Replacement {
  /** What was wrong, in a few words; `undefined` if the file was removed. */
  damage: string | undefined
  /** Where the damaged file is now; `undefined` if there is none. */
  asidePath: string | undefined
  /** What `rescue` has read. */
  rescued: unknown[]
}

interface DatabaseFileOptions {
  /** Free disk space that `addData` leaves untouched. */
  reserveBytes: number
  clock: () => number
}

interface Connection<Tables> {
  sqlite: SQLite.Database
  tables: Tables
  /** Whether no other process can open the file, because there was no room for the index of the log. */
  isExclusive: boolean
  durability: Durability
  databaseInode: number
  /** Time and size of the database file after the last change that this process knows of. */
  databaseState: string
  logInode: number | undefined
  indexInode: number | undefined
  /** The index of the log is mapped into memory: who reads behind its end is killed by SIGBUS. */
  indexBytes: number
}

/**
 * How long a statement blocks the event loop while another process writes. Transactions take milliseconds: those of the commands
 * change few rows, and a slow disk needs 100 ms for a sync. It is 1 % of the time that a request has.
 */
const BUSY_TIMEOUT_MS = 250
/** Nobody waits for an opening database yet, and other processes may be creating it. */
const OPENING_TIMEOUT_MS = 5_000
/** After a write has waited in vain, others fail at once for this long, so that a hanging process does not block this one. */
const BUSY_PAUSE_MS = 2_000
/** Below it, an I/O error means that the disk is full. Room for the index, and for the log of a few changes. */
const MIN_FREE_BYTES = 256 * 1_024
const MAX_LOG_BYTES = 8 * 1_024 * 1_024
/** Pages that are given back to the disk before requests are served again. */
const PAGES_PER_STEP = 64
/** Free pages that the next rows use. */
const MIN_FREE_PAGES = 256
const FREE_PAGE_SHARE = 0.1
const MAX_DAMAGED_FILES = 2

/**
 * Opens a SQLite database, and keeps it usable whatever happens to its files: damaged ones are set aside, and removed ones created
 * again. Several processes may open the same file. Everything is synchronous and short.
 *
 * @throws  Error with a sentence for the operator when the disk is full, or a newer version wrote the file.
 */
export function openDatabaseFile<Tables>(
  definition: DatabaseDefinition<Tables>,
  { reserveBytes, clock }: DatabaseFileOptions,
) {
  // For apps that import the service: commands check it earlier. Opening a file on an old Node would end the process.
  const refusal = refusalOfNode('page-preview-server')
  if (refusal !== undefined) throw new Error(refusal)
  const { path } = definition
  let connection: Connection<Tables> | undefined
  /** A file that was lost, until what was rescued of it is in the file that takes its place. */
  let lost: Replacement | undefined
  /** What `copy` has read, and the state of the file then. */
  let copied: { state: string; rows: unknown } | undefined
  let timeoutMs = OPENING_TIMEOUT_MS
  let busyUntil = 0

  function current(): Connection<Tables> {
    if (connection) return connection
    const opened = openOrSetAside()
    if (lost) restore(opened, lost)
    lost = undefined
    connection = opened
    copyRows(opened)
    return opened
  }

  function copyRows({ tables, databaseState: state }: Connection<Tables>): void {
    if (definition.copy && copied?.state !== state) copied = { state, rows: definition.copy(tables) }
  }

  function openOrSetAside(): Connection<Tables> {
    try {
      return connect(definition, timeoutMs)
    } catch (error) {
      if (hasErrorCode(error, 'SQLITE_BUSY')) throw inUseError(path, error)
      if (!isDamage(error)) throw asDiskFull(error, path)
      lost = {
        rescued: copied ? [copied.rows] : [],
        ...lost,
        damage: error.message,
        asidePath: setAside(path, { now: clock() }),
      }
      return connect(definition, timeoutMs)
    }
  }

  function restore({ sqlite, tables }: Connection<Tables>, replacement: Replacement): void {
    try {
      sqlite.transaction(() => definition.onReplaced(replacement, tables)).immediate()
    } catch (error) {
      sqlite.close()
      throw asDiskFull(error, path)
    }
  }

  /** Opens a new file in place of a damaged or removed one. */
  function replace({ damage }: { damage: string | undefined }): void {
    const { tables, databaseInode } = current()
    const rescued = [...(definition.rescue?.(tables) ?? []), ...(copied ? [copied.rows] : [])]
    disconnect()
    const asidePath = damage === undefined ? undefined : setAside(path, { inode: databaseInode, now: clock() })
    if (damage === undefined) removeLog(path)
    lost = { damage, asidePath, rescued }
    current()
  }

  function disconnect(): void {
    try {
      connection?.sqlite.close()
    } catch {
      // What the log has and the database has not stays in the log.
    }
    connection = undefined
  }

  /** Opens the files that are on the disk now; what the log of the others contains is in the database then. */
  function reopen(): void {
    const database = statOf(path)
    if (database?.ino !== current().databaseInode) return replace({ damage: undefined })
    if (database.size === 0) return replace({ damage: 'the file is empty' })
    disconnect()
    current()
  }

  /** Before each use, because it would end the process. The restored index is empty, and read again from the log. */
  function checkIndex(): void {
    const used = current()
    if (used.isExclusive) return
    const index = statOf(`${path}-shm`)
    if (index?.ino !== used.indexInode) return reopen()
    const bytes = index?.size ?? 0
    if (bytes >= used.indexBytes) used.indexBytes = bytes
    else {
      clearIndex(path, used.indexBytes)
      reopen()
    }
  }

  /** Before each write, because what is written to a removed file is lost. */
  function checkFiles(): void {
    checkIndex()
    const { databaseInode, logInode } = current()
    const database = statOf(path)
    if (database?.ino !== databaseInode || statOf(`${path}-wal`)?.ino !== logInode) reopen()
    else if (definition.rescue) verify(database)
  }

  /**
   * Checks a database again that somebody else has changed. If that was damage, the rows are still in the memory of SQLite, from
   * where they can be rescued; it would notice only when it reads them again.
   */
  function verify(stats: Stats): void {
    const used = current()
    if (used.isExclusive || stateOf(stats) === used.databaseState) return
    used.databaseState = stateOf(stats)
    try {
      checkDisk(definition)
    } catch (error) {
      if (isDamage(error)) replace({ damage: error.message })
    }
  }

  /** Runs work, and once more on an empty database if the file turns out to be damaged. */
  function replacingDamaged<Result>(work: (used: Connection<Tables>) => Result): Result {
    const used = current()
    try {
      return work(used)
    } catch (error) {
      if (!isDamage(error) && !isSchemaLost(error, used)) throw asDiskFull(error, path)
      replace({ damage: error instanceof Error ? error.message : String(error) })
    }
    try {
      return work(current())
    } catch (error) {
      throw asDiskFull(error, path)
    }
  }

  function isSchemaLost(error: unknown, { sqlite }: Connection<Tables>): boolean {
    if (!hasErrorCode(error, 'SQLITE_ERROR')) return false
    try {
      return versionOf(sqlite) !== definition.version
    } catch {
      return true
    }
  }

  function write<Result>(work: (tables: Tables) => Result, durability: Durability): Result {
    checkFiles()
    if (performance.now() < busyUntil) throw new SQLite.SqliteError('another process is writing', 'SQLITE_BUSY')
    try {
      const result = replacingDamaged((used) => commit(used, work, durability))
      // An old copy could undo the revocation of a key.
      if (durability === 'FULL') copied = undefined
      return result
    } catch (error) {
      if (hasErrorCode(error, 'SQLITE_BUSY')) busyUntil = performance.now() + BUSY_PAUSE_MS
      throw error
    }
  }

  /** @throws  `ENOSPC` when only the reserve is free. */
  const assertWritable = () => {
    checkFiles()
    assertFree(path, Math.max(reserveBytes, MIN_FREE_BYTES))
  }

  current()
  timeoutMs = BUSY_TIMEOUT_MS
  return {
    /** Reads what was committed last, by any process. */
    read<Result>(work: (tables: Tables) => Result): Result {
      checkIndex()
      return replacingDamaged(({ tables }) => work(tables))
    },

    /** Commits all changes of `work` or none. It may run a second time after its first run was not committed. */
    write: <Result>(work: (tables: Tables) => Result, durability: Durability = 'NORMAL'): Result =>
      write(work, durability),

    /** Like `write`, for what is not needed in an emergency: fails with `ENOSPC` already when only the reserve is free. */
    addData<Result>(work: (tables: Tables) => Result, durability: Durability = 'NORMAL'): Result {
      assertWritable()
      return write(work, durability)
    },

    /** Changes rows in small transactions, between which requests are served. */
    async changeEach<Item>(items: readonly Item[], change: (tables: Tables, item: Item) => void): Promise<void> {
      for (let start = 0; start < items.length; start += ROWS_PER_TRANSACTION) {
        const batch = items.slice(start, start + ROWS_PER_TRANSACTION)
        write((tables) => batch.forEach((item) => change(tables, item)), 'NORMAL')
        await nextTurn()
      }
    },

    assertWritable,

    /** Notices that a file was removed, which reads do not, and lets other processes in again when there is room. */
    check(): void {
      checkFiles()
      copyRows(current())
      if (current().isExclusive && freeBytes(path) >= 2 * MIN_FREE_BYTES) reopen()
    },

    /** Gives free pages back to the disk, in steps between which requests are served, so that the file shrinks. */
    async shrink(): Promise<void> {
      const count = (pragma: string) => Number(current().sqlite.pragma(pragma, { simple: true }))
      checkIndex()
      const hasMany = () => count('freelist_count') > Math.max(MIN_FREE_PAGES, count('page_count') * FREE_PAGE_SHARE)
      if (!hasMany()) return
      while (hasMany()) {
        checkIndex()
        replacingDamaged(({ sqlite }) => sqlite.pragma(`incremental_vacuum(${PAGES_PER_STEP})`))
        await nextTurn()
        if (!connection) return
      }
      // The pages at the end leave the file when the log is written back.
      replacingDamaged(({ sqlite }) => sqlite.pragma('wal_checkpoint(PASSIVE)'))
    },

    close(): void {
      if (!connection) return
      try {
        checkFiles()
      } finally {
        disconnect()
      }
    },
  }
}

/** Rows that background work changes per transaction. */
export const ROWS_PER_TRANSACTION = 25

export type DatabaseFile<Tables> = ReturnType<typeof openDatabaseFile<Tables>>

function commit<Tables, Result>(
  used: Connection<Tables>,
  work: (tables: Tables) => Result,
  durability: Durability,
): Result {
  const { sqlite, tables } = used
  if (used.durability !== durability) sqlite.pragma(`synchronous=${durability}`)
  used.durability = durability
  const run = sqlite.transaction(() => work(tables))
  try {
    return run.immediate()
  } catch (error) {
    if (!hasErrorCode(error, 'SQLITE_FULL')) throw error
    // The log has room for some changes once what it contains is in the database.
    sqlite.pragma('wal_checkpoint(TRUNCATE)')
    return run.immediate()
  } finally {
    // Then a lost log costs none of them.
    if (durability === 'FULL') checkpoint(sqlite)
    const stats = statOf(sqlite.name)
    if (stats?.ino === used.databaseInode) used.databaseState = stateOf(stats)
  }
}

function checkpoint(sqlite: SQLite.Database): void {
  try {
    sqlite.pragma('wal_checkpoint(PASSIVE)')
  } catch {
    // The changes are safe in the log.
  }
}

/** On a disk without room for the index of the log, this process has the file alone, and the index in its memory. */
function connect<Tables>(definition: DatabaseDefinition<Tables>, timeoutMs: number): Connection<Tables> {
  const { path } = definition
  createPrivately(path)
  if (isLogWithoutDatabase(path)) throw new SQLite.SqliteError('the file is empty', 'SQLITE_CORRUPT')
  try {
    return connectAs(definition, timeoutMs, 'NORMAL')
  } catch (error) {
    if (!isIoError(error) || freeBytes(path) >= MIN_FREE_BYTES) throw error
    return connectAs(definition, timeoutMs, 'EXCLUSIVE')
  }
}

function connectAs<Tables>(
  definition: DatabaseDefinition<Tables>,
  timeoutMs: number,
  lockingMode: 'NORMAL' | 'EXCLUSIVE',
): Connection<Tables> {
  const { path, pragmas, prepare } = definition
  const sqlite = new SQLite(path, { timeout: timeoutMs })
  try {
    sqlite.pragma(`locking_mode=${lockingMode}`)
    // Of an existing file, it would write the header.
    if (statSync(path).size === 0) sqlite.pragma('auto_vacuum=INCREMENTAL')
    sqlite.pragma('journal_mode=WAL')
    for (const pragma of ['synchronous=FULL', 'cell_size_check=ON', `journal_size_limit=${MAX_LOG_BYTES}`, ...pragmas])
      sqlite.pragma(pragma)
    createSchema(sqlite, definition)
    checkPages(sqlite, definition)
    const tables = prepare(sqlite)
    sqlite.pragma(`busy_timeout=${BUSY_TIMEOUT_MS}`)
    const database = statSync(path)
    const index = statOf(`${path}-shm`)
    return {
      sqlite,
      tables,
      isExclusive: lockingMode === 'EXCLUSIVE',
      durability: 'FULL',
      databaseInode: database.ino,
      databaseState: stateOf(database),
      logInode: statOf(`${path}-wal`)?.ino,
      indexInode: index?.ino,
      indexBytes: index?.size ?? 0,
    }
  } catch (error) {
    sqlite.close()
    throw error
  }
}

function createSchema<Tables>(
  sqlite: SQLite.Database,
  { path, schema, version, isNewerRefused }: DatabaseDefinition<Tables>,
): void {
  const isEmpty = () => sqlite.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
  if (versionOf(sqlite) === 0 && isEmpty())
    sqlite
      .transaction(() => {
        // Another process may have created it meanwhile.
        if (isEmpty()) sqlite.exec(`${schema}; PRAGMA user_version=${version}`)
      })
      .immediate()
  const found = versionOf(sqlite)
  if (found > version && isNewerRefused)
    throw new Error(
      `${path} was written by a newer version of the service (its schema is ${found}, this version knows ${version}). ` +
        'Install that version again, or choose another folder.',
    )
  if (found !== version) throw new SQLite.SqliteError(`its schema ${found} is unknown`, 'SQLITE_NOTADB')
}

const versionOf = (sqlite: SQLite.Database): number => Number(sqlite.pragma('user_version', { simple: true }))

/** Finds damage before it is met, as far as that takes less than half a second; indexes are not compared with their tables. */
function checkPages<Tables>(sqlite: SQLite.Database, { maxCheckedPages }: DatabaseDefinition<Tables>): void {
  if (Number(sqlite.pragma('page_count', { simple: true })) > maxCheckedPages) return
  const result = String(sqlite.pragma('quick_check(1)', { simple: true }))
  // The first line names the database.
  if (result !== 'ok') throw new SQLite.SqliteError(result.split('\n').at(-1) ?? result, 'SQLITE_CORRUPT')
}

/** Like `checkPages`, with a connection that has nothing in its memory yet. */
function checkDisk<Tables>(definition: DatabaseDefinition<Tables>): void {
  const { path, version } = definition
  // SQLite would take it for a new database, and remove its log.
  if (statSync(path).size === 0) throw new SQLite.SqliteError('the file is empty', 'SQLITE_CORRUPT')
  const sqlite = new SQLite(path, { readonly: true, timeout: BUSY_TIMEOUT_MS })
  try {
    if (versionOf(sqlite) !== version) throw new SQLite.SqliteError('its schema is unknown', 'SQLITE_NOTADB')
    checkPages(sqlite, definition)
  } finally {
    sqlite.close()
  }
}

/** Creates an empty file unless it exists; log and index take over its mode. An existing one is not opened: closing it would release the locks of SQLite in this process. */
function createPrivately(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
  }
}

/** SQLite would remove such a log, and with it the last changes. */
const isLogWithoutDatabase = (path: string): boolean =>
  statSync(path).size === 0 && (statOf(`${path}-wal`)?.size ?? 0) > 0

/** Removes the log of a database that was removed, unless there is another one that it may belong to. */
function removeLog(path: string): void {
  if (statOf(path)) return
  for (const each of databaseFiles(path)) rmSync(each, { force: true })
}

/** Fills a cut index with zeros, which SQLite takes for one that it has to build again. */
function clearIndex(path: string, bytes: number): void {
  const file = openSync(`${path}-shm`, 'r+')
  try {
    writeSync(file, Buffer.alloc(bytes), 0, bytes, 0)
  } finally {
    closeSync(file)
  }
}

/**
 * Renames a damaged database with its log to `NAME.damaged-TIME`, so that it can be examined, and removes all but the last two.
 *
 * @param options.inode  Of the file that was found damaged while it was open: another process may have replaced it since.
 * @returns              The new path; `undefined` if there is no such file any more.
 */
function setAside(path: string, { inode, now }: { inode?: number; now: number }): string | undefined {
  const found = statOf(path)?.ino
  if (found === undefined || (inode !== undefined && found !== inode)) return undefined
  const asidePath = `${path}.damaged-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`
  renameSync(path, asidePath)
  if (statOf(`${path}-wal`)) renameSync(`${path}-wal`, `${asidePath}-wal`)
  rmSync(`${path}-shm`, { force: true })
  removeOldest(path)
  return asidePath
}

function removeOldest(path: string): void {
  const prefix = `${basename(path)}.damaged-`
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith(prefix) && !name.endsWith('-wal'))
  for (const name of names.toSorted().slice(0, -MAX_DAMAGED_FILES))
    for (const each of databaseFiles(join(dirname(path), name))) rmSync(each, { force: true })
}

const stateOf = ({ mtimeMs, size }: Stats): string => `${mtimeMs} ${size}`

const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false })

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(dirname(path))
  return bavail * bsize
}

function assertFree(path: string, bytes: number): void {
  if (freeBytes(path) < bytes) throw new DiskFullError(path)
}

class DiskFullError extends Error {
  override readonly name = 'DiskFullError'
  readonly code = 'ENOSPC'
  constructor(path: string, options?: ErrorOptions) {
    super(
      `No space left to write: ${freeBytes(path)} bytes are free on the disk of ${path}. Free some space, or lower --store-max`,
      options,
    )
  }
}

/** As while a disk is full, or while a process hangs in a transaction. */
const inUseError = (path: string, cause: unknown): Error =>
  Object.assign(
    new Error(
      `${path} is in use by another process, which has it alone while its disk is full. Free some space, and try again`,
      { cause },
    ),
    { code: 'EBUSY' },
  )

/** The error, or the one for a full disk if that is what it means. */
function asDiskFull(error: unknown, path: string): unknown {
  if (hasErrorCode(error, 'SQLITE_FULL') || (isIoError(error) && freeBytes(path) < MIN_FREE_BYTES))
    return new DiskFullError(path, { cause: error })
  return error
}

/** Whether an error means that nothing can be written, although reading works. */
export const isDiskFull = (error: unknown): boolean => hasErrorCode(error, 'ENOSPC')

const codeOf = (error: unknown): string => (error instanceof SQLite.SqliteError ? error.code : '')

/** Whether an error of SQLite means that it cannot read or write its files. */
export const isIoError = (error: unknown): error is Error =>
  /^SQLITE_(IOERR|FULL|CANTOPEN|READONLY|BUSY|PROTOCOL)/.test(codeOf(error))

/** Whether an error of SQLite means that the file is damaged. A log that was cut ends too early. */
export const isDamage = (error: unknown): error is Error =>
  /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(codeOf(error))
