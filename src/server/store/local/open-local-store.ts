import { join } from 'node:path'
import { dataFiles } from '../data-files.js'
import { createDrainGate } from '../drain-gate.js'
import { ensureDataDir } from '../ensure-data-dir.js'
import type { Store } from '../store.js'
import { openDatabase } from './database.js'
import { createEntryTable } from './entry-table.js'
import { createEviction } from './eviction.js'
import { openImageFiles } from './image-files.js'
import { createImageTable } from './image-table.js'
import { createLocalApiKeys } from './local-api-keys.js'
import { createLocalCounters } from './local-counters.js'
import { createLocalEntries } from './local-entries.js'
import { createLocalImages } from './local-images.js'
import { createLruIndex } from './lru-index.js'
import { createMaintenance } from './maintenance.js'
import { createPendingAccesses } from './pending-accesses.js'
import { repairImages } from './repair-images.js'

const MAINTENANCE_INTERVAL_MS = 60_000
const MAX_PENDING_ACCESSES = 10_000

export interface LocalStoreOptions {
  /** Created when missing; several processes may open the same folder at once. */
  dataDir: string
  /** Limit for cache entries and images together. */
  maxBytes: number
  /** Free disk space that is left untouched: with less of it, writes fail with `ENOSPC`. Default: 64 MB. */
  reserveBytes?: number
  /** Milliseconds since 1970. */
  clock?: () => number
  /** Receives errors of background work, which reach no caller. Default: a warning of the process. */
  onError?: (error: unknown) => void
}

/**
 * Opens the store of one machine: entries, counters and keys in one lmdb database, images as files beside it. It first
 * repairs what a killed process left inconsistent. When a write resolves, the data is on the disk.
 *
 * @throws  Error with a sentence for the operator when other users can read or change the folder.
 */
export async function openLocalStore(options: LocalStoreOptions): Promise<Store> {
  const { dataDir, onError = emitWarning } = options
  const gate = createDrainGate(`The store in ${dataDir}`)
  const inBackground = (work: () => Promise<void>) => void gate.run(work).catch(onError)
  const parts = await openParts(options, { onManyAccesses: () => inBackground(parts.maintenance.flushAccesses) })
  const { database, lruIndex, maintenance } = parts
  const timer = setInterval(() => inBackground(maintenance.run), MAINTENANCE_INTERVAL_MS).unref()
  const entries = createLocalEntries(parts)
  const images = createLocalImages(parts)
  const counters = createLocalCounters(database)
  const keys = createLocalApiKeys(database)

  return {
    readEntry: <Body>(key: string) => gate.run(() => entries.readEntry<Body>(key)),
    writeEntry: (key, entry) => gate.run(() => entries.writeEntry(key, entry)),
    writeImage: (bytes, type) => gate.run(() => images.writeImage(bytes, type)),
    readImage: (name) => gate.run(() => images.readImage(name)),
    openImage: (name) => gate.run(() => images.openImage(name)),
    countRequest: (...request) => gate.run(() => counters.countRequest(...request)),
    readCount: (client, day) => gate.run(() => counters.readCount(client, day)),
    writeKey: (key) => gate.run(() => keys.writeKey(key)),
    readKey: (id) => gate.run(() => keys.readKey(id)),
    listKeys: () => gate.run(() => keys.listKeys()),
    usedBytes: () => gate.run(async () => lruIndex.totalBytes()),
    async withLock(_, work) {
      gate.assertOpen()
      return work()
    },
    claim: async () => true,
    unclaim: async () => undefined,
    isReady: async () => gate.isOpen() && isReadable(lruIndex),
    close() {
      clearInterval(timer)
      return gate.close(async () => {
        try {
          await maintenance.flushAccesses()
        } finally {
          await database.close()
        }
      })
    },
  }
}

async function openParts(
  { dataDir, maxBytes, reserveBytes = 64_000_000, clock = Date.now }: LocalStoreOptions,
  { onManyAccesses }: { onManyAccesses: () => void },
) {
  await ensureDataDir(dataDir)
  const files = await openImageFiles(join(dataDir, 'images'))
  const { database: path, databaseLock: lockPath } = dataFiles(dataDir)
  const database = openDatabase({ path, lockPath, reserveBytes })
  const pendingAccesses = createPendingAccesses({ limit: MAX_PENDING_ACCESSES, onFull: onManyAccesses })
  const lruIndex = createLruIndex(database)
  const imageTable = createImageTable({ database, files, lruIndex, pendingAccesses, clock })
  const entryTable = createEntryTable({ database, imageTable, lruIndex, maxBytes, clock })
  const eviction = createEviction({ entryTable, imageTable, lruIndex, pendingAccesses, maxBytes, clock })
  const maintenance = createMaintenance({ database, files, eviction, pendingAccesses })
  try {
    await repairImages({ database, files, entryTable })
    await maintenance.evict()
  } catch (error) {
    await database.close()
    throw error
  }
  return { database, files, entryTable, imageTable, lruIndex, maintenance, pendingAccesses, maxBytes, clock }
}

function isReadable(lruIndex: { totalBytes(): number }): boolean {
  try {
    lruIndex.totalBytes()
    return true
  } catch {
    return false
  }
}

function emitWarning(error: unknown) {
  process.emitWarning(error instanceof Error ? error : String(error))
}
