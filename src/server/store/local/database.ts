import { closeSync, existsSync, openSync, readSync, statfsSync } from 'node:fs'
import { open } from 'lmdb'
import type { ImageName } from '../image-name.js'
import type { ApiKeyRecord } from '../store.js'

/** Rows that background work changes per transaction; between transactions requests are served. */
export const ROWS_PER_TRANSACTION = 25

/** What the database knows about an image file. */
export interface ImageRecord {
  size: number
  /** Milliseconds since 1970, as all times here. Until then the image stays, whether an entry names it or not. */
  retainUntil: number
  usedAt: number
}

/** The sort keys of an item in the LRU index. */
export interface LruPosition {
  usedAt: number
  expiresAt: number
}

/** One lmdb environment with its tables, shared by all processes that open the same file. */
export type Database = ReturnType<typeof openDatabase>

export interface DatabaseOptions {
  path: string
  /** `path` with `-lock`, as lmdb names it. */
  lockPath: string
  /** Free disk space that `growingTransaction` leaves untouched. */
  reserveBytes: number
}

export function openDatabase({ path, lockPath, reserveBytes }: DatabaseOptions) {
  assertDatabaseFile(path)
  for (const each of [path, lockPath]) createPrivately(each)
  const root = open({ path, maxDbs: 12, overlappingSync: false })

  // Asynchronous transactions of lmdb 3.5.6 never call back on some machines; a synchronous one takes 0.3 ms.
  const transaction = <T>(work: () => T): T => root.transactionSync(work)

  return {
    /** Encoded by `entry-codec.ts`. */
    entries: root.openDB<Buffer, string>({ name: 'entries', encoding: 'binary' }),
    images: root.openDB<ImageRecord, ImageName>({ name: 'images' }),
    /** A row for each pair of an image and the id of an entry that names it. */
    references: root.openDB<true, [ImageName, entryId: string]>({ name: 'references' }),
    positions: root.openDB<LruPosition, string>({ name: 'positions' }),
    order: root.openDB<true, [index: number, at: number, item: string]>({ name: 'order' }),
    totals: root.openDB<number, string>({ name: 'totals' }),
    counts: root.openDB<number, [day: string, client: string]>({ name: 'counts' }),
    apiKeys: root.openDB<ApiKeyRecord, string>({ name: 'keys' }),

    /** Commits all changes of `work` or none, even when the process is killed; they are on the disk when it returns. */
    transaction,

    /**
     * A transaction that adds data. It fails with `ENOSPC` before it starts when the disk is almost full, because a commit
     * that fails inside lmdb 3.5.6 writes its error message into a buffer that is too short (`malloc(100)` in
     * `mdb_page_flush`) and may crash the process.
     */
    growingTransaction<T>(work: () => T): T {
      const { bavail, bsize } = statfsSync(path)
      if (bavail * bsize < reserveBytes) throw new DiskFullError(path, bavail * bsize)
      return transaction(work)
    },

    /** Lets the next reads see what other processes have written. */
    refresh: () => root.resetReadTxn(),

    close: () => root.close(),
  }
}

/** The first page of every lmdb file contains this number. */
const LMDB_MAGIC = 0xbeefc0de
const LMDB_MAGIC_OFFSET = 24

/**
 * Creates an empty file, which lmdb takes for a new database, because lmdb's own files can be read by everybody. An existing
 * one is not opened: closing it would release the locks of lmdb in this process.
 */
function createPrivately(path: string) {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** lmdb 3.5.6 crashes the process when it opens a file of another format. */
function assertDatabaseFile(path: string) {
  if (!existsSync(path)) return
  const header = Buffer.alloc(LMDB_MAGIC_OFFSET + 4)
  const file = openSync(path, 'r')
  try {
    if (readSync(file, header, 0, header.length, 0) === 0) return
  } finally {
    closeSync(file)
  }
  if (header.readUInt32LE(LMDB_MAGIC_OFFSET) !== LMDB_MAGIC)
    throw new Error(`${path} is not a Page Preview database; move it away, or choose another data folder`)
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
