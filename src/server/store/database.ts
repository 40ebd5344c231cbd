import { closeSync, existsSync, openSync, readSync, statfsSync } from 'node:fs'
import { open } from 'lmdb'
import type { ImageName, CacheEntry, ApiKeyRecord } from './store.js'

/** Every lmdb file has it in its first page. */
const MAGIC = 0xbeefc0de
const MAGIC_OFFSET = 24

/** What is known of an image file. */
export interface ImageRecord {
  size: number
  /** Milliseconds since 1970, as all times here. Until then it stays, whether an answer names it or not. */
  keptUntil: number
  usedAt: number
}

/** Where an entry stands in the order of use and of expiry. */
export interface Place {
  usedAt: number
  dueAt: number
}

/** One lmdb environment with its tables; every process on the same folder sees the same. */
export type Database = ReturnType<typeof openDatabase>

/**
 * @param path          The file; a second one for its lock stands beside it.
 * @param reserveBytes  Free bytes of the disk that `add` does not touch.
 */
export function openDatabase(path: string, reserveBytes: number) {
  mustBeDatabase(path)
  const root = open({ path, maxDbs: 12, overlappingSync: false })

  // Asynchronous transactions of lmdb 3.5.6 never call back on some machines; a synchronous one takes 0.3 ms.
  const change = <T>(work: () => T): T => root.transactionSync(work)

  return {
    answers: root.openDB<CacheEntry & { size: number }, string>({ name: 'answers' }),
    images: root.openDB<ImageRecord, ImageName>({ name: 'images' }),
    /** Which answer names which image, and how often is asked: a row for each pair. */
    holders: root.openDB<true, [ImageName, string]>({ name: 'holders' }),
    places: root.openDB<Place, string>({ name: 'places' }),
    order: root.openDB<true, [index: number, at: number, entry: string]>({ name: 'order' }),
    totals: root.openDB<number, string>({ name: 'totals' }),
    counts: root.openDB<number, [day: string, client: string]>({ name: 'counts' }),
    keys: root.openDB<ApiKeyRecord, string>({ name: 'keys' }),

    /** Does all of it or nothing, even when the process is killed meanwhile; on the disk when it returns. */
    change,

    /**
     * A change that makes what is kept grow: refused with `ENOSPC` while the disk has little left. A commit that fails inside
     * lmdb 3.5.6 writes its message into a buffer that is too short for it (`malloc(100)` in `mdb_page_flush`) and may bring
     * the process down, so it must never come to that.
     */
    add<T>(work: () => T): T {
      const { bavail, bsize } = statfsSync(path)
      if (bavail * bsize < reserveBytes) throw new DiskFullError(path, bavail * bsize)
      return change(work)
    },

    /** Makes the next reads see what other processes have written by now. */
    refresh: () => root.resetReadTxn(),

    close: () => root.close(),
  }
}

/** lmdb 3.5.6 brings the process down when the file is something else. */
function mustBeDatabase(path: string) {
  if (!existsSync(path)) return
  const start = Buffer.alloc(MAGIC_OFFSET + 4)
  const file = openSync(path, 'r')
  try {
    if (readSync(file, start, 0, start.length, 0) === 0) return
  } finally {
    closeSync(file)
  }
  if (start.readUInt32LE(MAGIC_OFFSET) !== MAGIC)
    throw new Error(`${path} is not a store; move it away, or choose another folder`)
}

class DiskFullError extends Error {
  override readonly name = 'DiskFullError'
  readonly code = 'ENOSPC'
  constructor(path: string, freeBytes: number) {
    super(
      `No space left to write: ${freeBytes} bytes are free on the disk of ${path}; free some, or give less to the store`,
    )
  }
}
