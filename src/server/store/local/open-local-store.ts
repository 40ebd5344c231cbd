import { setImmediate } from 'node:timers/promises'
import { decodeEntry, digest, type CacheEntry } from '../cache-entry.js'
import { createDrainGate } from '../drain-gate.js'
import { MAX_LOGGED_PURGES, parsePurge, PURGES_PER_READ } from '../purges.js'
import type { EntryStore, LocalStore, PurgeLog } from '../store-parts.js'
import { isImageName, type ImageName } from '../stored-image.js'
import { openDataFolder, type DataFolder, type DataFolderOptions, type OpenFolder } from './data-folder.js'
import { createLocalApiKeys, createLocalCounters } from './key-database.js'
import { createLocalImages } from './local-images.js'

/** Without them, 64 MB stay free, the clock is the system's, and errors and damage are warnings of the process. */
export type LocalStoreOptions = Pick<DataFolderOptions, 'dataDir' | 'maxBytes'> &
  Partial<Pick<DataFolderOptions, 'reserveBytes' | 'clock' | 'onError' | 'onDamaged'>>

const MAINTENANCE_INTERVAL_MS = 60_000
const FOLDER_CHECK_INTERVAL_MS = 1_000
const DEFAULT_RESERVE_BYTES = 64_000_000
/** Rows that are read before requests are served again. */
const ROWS_PER_READ = 200

/**
 * Opens the store of one machine: entries in an lmdb database, counters and keys in another, images as files beside them. It
 * first sets damaged databases aside and repairs what a killed process left inconsistent. When a write resolves, the data is
 * on the disk. A method rejects with the error of the disk itself, such as `ENOSPC`.
 *
 * @throws  Error with a sentence for the operator when other users can read or change the folder.
 */
export async function openLocalStore({
  reserveBytes = DEFAULT_RESERVE_BYTES,
  clock = Date.now,
  onError = emitWarning,
  onDamaged = emitWarning,
  ...options
}: LocalStoreOptions): Promise<LocalStore> {
  const gate = createDrainGate(`The store in ${options.dataDir}`)
  const inBackground = (work: () => Promise<void>) => void gate.run(work).catch(onError)
  const onManyAccesses = () => inBackground(() => folder.current().eviction.flushAccesses())
  const folder = await openDataFolder({ ...options, reserveBytes, clock, onError, onDamaged, onManyAccesses })
  const run: DataFolder['run'] = (work) => gate.run(() => folder.run(work))
  const timer = setInterval(() => inBackground(() => folder.run(maintain)), MAINTENANCE_INTERVAL_MS)
  timer.unref()
  const folderCheck = setInterval(() => inBackground(() => folder.checkFolder()), FOLDER_CHECK_INTERVAL_MS)
  folderCheck.unref()

  return {
    entries: createLocalEntries(run),
    images: createLocalImages(run),
    counters: createLocalCounters(run),
    apiKeys: createLocalApiKeys(run),
    purgeLog: createLocalPurgeLog(run),
    health: {
      isReady: async () => gate.isOpen() && isReadable(folder.current()),
      isWritable: () =>
        run(async ({ database }) => database.assertWritable()).then(
          () => true,
          () => false,
        ),
      usedBytes: () => run(async ({ lruIndex }) => lruIndex.totalBytes()),
    },
    close() {
      clearInterval(timer)
      clearInterval(folderCheck)
      return gate.close(() => folder.close())
    },
  }
}

function emitWarning(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}

async function maintain({ eviction, files }: OpenFolder): Promise<void> {
  await eviction.flushAccesses()
  await eviction.evict()
  await files.removeAbandonedTemporaries()
}

function isReadable({ lruIndex }: OpenFolder): boolean {
  try {
    lruIndex.totalBytes()
    return true
  } catch {
    return false
  }
}

const createLocalEntries = (run: DataFolder['run']): EntryStore => ({
  readEntry: <Body>(key: string) =>
    run(async ({ database, pendingAccesses, clock }): Promise<CacheEntry<Body> | undefined> => {
      const id = digest(key)
      const bytes = database.entries.get(id)
      const entry = bytes && decodeEntry<Body>(bytes)
      if (!entry || entry.expiresAt <= clock()) return undefined
      pendingAccesses.add(`entry:${id}`, clock())
      return entry
    }),

  writeEntry: (key, entry) =>
    run(async ({ database, entryTable, eviction }) => {
      await database.addData(() => entryTable.put(digest(key), entry))
      await eviction.evict(entry.owner)
    }),

  extendEntry: (key, { createdAt, expiresAt }) =>
    run(async ({ database, entryTable }) => {
      const id = digest(key)
      await database.addData(() => {
        const bytes = database.entries.get(id)
        const entry = bytes && decodeEntry(bytes)
        if (entry?.createdAt === createdAt && entry.expiresAt < expiresAt) entryTable.put(id, { ...entry, expiresAt })
      })
    }),

  findItems: (matches) =>
    run(async ({ database }) => {
      const ids: string[] = []
      const images = new Set<ImageName>()
      await visitRows(database.entries, (id, bytes) => {
        const entry = decodeEntry(bytes)
        if (!entry || !matches(entry)) return
        ids.push(id)
        for (const name of entry.images) images.add(name)
      })
      await visitRows(database.images, (name, record) => {
        if (isImageName(name) && matches(record)) images.add(name)
      })
      return { ids, images: [...images] }
    }),

  deleteEntries: (ids) =>
    run(({ database, entryTable }) => database.changeEach(ids, (id) => entryTable.delete(id, () => false))),
})

interface Table<Value> {
  getRange(options: { start?: string; limit: number }): Iterable<{ key: unknown; value: Value }>
}

/** Visits all rows in small batches, between which requests are served and other rows may come and go. */
async function visitRows<Value>(table: Table<Value>, visit: (key: string, value: Value) => void): Promise<void> {
  let last: string | undefined
  for (;;) {
    let count = 0
    for (const row of table.getRange({ ...(last !== undefined && { start: last }), limit: ROWS_PER_READ })) {
      const key = String(row.key)
      if (key !== last) visit(key, row.value)
      last = key
      count++
    }
    if (count < ROWS_PER_READ) return
    await setImmediate()
  }
}

/** Other processes may use the same folder. */
const createLocalPurgeLog = (run: DataFolder['run']): PurgeLog => ({
  addPurge: (purge) =>
    run(async ({ database }) =>
      database.transaction(() => {
        const { purges } = database
        purges.putSync(lastKey(purges) + 1, JSON.stringify(purge))
        if (purges.getKeysCount({}) > MAX_LOGGED_PURGES) purges.removeSync([...purges.getKeys({ limit: 1 })][0]!)
      }),
    ),

  readPurges: (after) =>
    run(async ({ database }) => {
      database.refresh()
      const rows = [...database.purges.getRange({ start: after + 1, limit: PURGES_PER_READ })]
      return { last: lastKey(database.purges), purges: rows.flatMap(({ key, value }) => parsePurge(key, value)) }
    }),
})

const lastKey = (purges: OpenFolder['database']['purges']) => [...purges.getKeys({ reverse: true, limit: 1 })][0] ?? 0
