import { open } from 'lmdb'
import { closeSync, openSync, statfsSync, statSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { hasErrorCode } from '../../node-errors.js'

/** Rows that background work changes per transaction; between transactions requests are served. */
export const ROWS_PER_TRANSACTION = 25
/** Error codes of lmdb: `PAGE_NOTFOUND`, `CORRUPTED`, `PANIC`, `INVALID`, and `BAD_TXN` after one of them. */
const DAMAGE_CODES: readonly unknown[] = [-30_797, -30_796, -30_795, -30_793, -30_782]
/** More than one transaction writes. */
const MIN_FREE_BYTES = 256 * 1024

export interface EnvironmentOptions {
  path: string
  /** `path` with `-lock`, as lmdb names it. */
  lockPath: string
  /** Free disk space that `addData` leaves untouched. */
  reserveBytes: number
}

interface Change {
  /** @returns  What to call once it is committed. */
  run(): () => void
  fail(error: unknown): void
}

/** An lmdb environment: one file with several tables, shared by all processes that open it. */
export function openEnvironment({ path, lockPath, reserveBytes }: EnvironmentOptions) {
  createDatabaseFiles(path, lockPath)
  const root = open({ path, maxDbs: 12, overlappingSync: false })

  // Asynchronous transactions of lmdb 3.5.6 never call back on some machines; a synchronous one takes 0.3 ms.
  function transaction<T>(work: () => T): T {
    assertFree(path, MIN_FREE_BYTES)
    return root.transactionSync(work)
  }

  /** @throws  `ENOSPC` when the disk is almost full; `ENOENT` when the file was removed. */
  const assertWritable = () => assertFree(path, Math.max(reserveBytes, MIN_FREE_BYTES))

  return {
    root,

    /**
     * Commits all changes of `work` or none, even when the process is killed; they are on the disk when it returns. It fails
     * with `ENOSPC` before it starts when the disk is full, because a commit that fails inside lmdb 3.5.6 writes its error
     * message into a buffer that is too short (`malloc(100)` in `mdb_page_flush`) and may crash the process.
     */
    transaction,

    /**
     * Commits changes that add data, together with others of the same moment; it fails with `ENOSPC` already when only the
     * reserved space is free. A change may run twice, the first time without a commit.
     */
    addData: groupCommits((work) => {
      assertWritable()
      return transaction(work)
    }),

    /** Changes rows in small transactions, between which requests are served. */
    async changeEach<Item>(items: readonly Item[], change: (item: Item) => void): Promise<void> {
      for (let start = 0; start < items.length; start += ROWS_PER_TRANSACTION) {
        transaction(() => items.slice(start, start + ROWS_PER_TRANSACTION).forEach(change))
        await nextTurn()
      }
    },

    assertWritable,

    /** Lets the next reads see what other processes have written. */
    refresh: () => root.resetReadTxn(),

    close: () => root.close(),
  }
}

/**
 * Runs the changes of one turn of the event loop in one transaction, because each commit waits for the disk and blocks all
 * other requests meanwhile. If it fails, each change gets its own transaction, so that one does not fail another.
 *
 * @param transaction  Runs a function in a transaction that is committed when it returns; throws when it was not.
 * @returns            A function that runs one change; `change` may run a second time after its first run was not committed.
 */
export function groupCommits(transaction: <Result>(work: () => Result) => Result) {
  let pending: Change[] = []

  function commit(changes: readonly Change[]): void {
    try {
      const onCommitted = transaction(() => changes.map((change) => change.run()))
      for (const resolve of onCommitted) resolve()
    } catch (error) {
      if (changes.length === 1) changes[0]!.fail(error)
      else for (const change of changes) commit([change])
    }
  }

  return <Result>(change: () => Result): Promise<Result> =>
    new Promise((resolve, reject) => {
      const run = () => {
        const result = change()
        return () => resolve(result)
      }
      pending.push({ run, fail: reject })
      if (pending.length > 1) return
      setImmediate(() => {
        const changes = pending
        pending = []
        commit(changes)
      })
    })
}

/**
 * Creates the files of a database unless they exist.
 *
 * @throws  `ENOSPC` when the disk is too full for new ones, because lmdb maps them into memory and writing there would end the
 *          process with SIGBUS.
 */
export function createDatabaseFiles(path: string, lockPath: string): void {
  for (const each of [path, lockPath]) createPrivately(each)
  if ([path, lockPath].some((each) => statSync(each).size === 0)) assertFree(path, MIN_FREE_BYTES)
}

function assertFree(path: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(path)
  if (bavail * bsize < bytes) throw new DiskFullError(path, bavail * bsize)
}

/**
 * Creates an empty file, which lmdb takes for a new database, because lmdb's own files can be read by everybody. An existing
 * one is not opened: closing it would release the locks of lmdb in this process.
 */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
  }
}

class DiskFullError extends Error {
  override readonly name = 'DiskFullError'
  readonly code = 'ENOSPC'
  constructor(path: string, freeBytes: number) {
    super(
      `No space left to write: ${freeBytes} bytes are free on the disk of ${path}. Free some space, or lower --store-max`,
    )
  }
}

/** Whether an error means that nothing can be written, although reading works. */
export const isDiskFull = (error: unknown): boolean => hasErrorCode(error, 'ENOSPC')

/** Whether an error of lmdb means that the file of the database is damaged. */
export const isDamage = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && DAMAGE_CODES.includes(error.code)
