import { join } from 'node:path'
import { ensureDataDir } from '../ensure-data-dir.js'
import { emitWarning } from './emit-warning.js'
import { createEntryTable } from './entry-table.js'
import { createEviction } from './eviction.js'
import { openImageFiles } from './image-files.js'
import { createImageReader } from './image-reader.js'
import { createImageTable } from './image-table.js'
import { createImageWriter } from './image-writer.js'
import { createLocalApiKeys } from './local-api-keys.js'
import { createLocalCounters } from './local-counters.js'
import { createLocalKeyUsage } from './local-key-usage.js'
import { createLocalEntries } from './local-entries.js'
import { createLocalPurges } from './local-purges.js'
import { createLruIndex } from './lru-index.js'
import { createMaintenance } from './maintenance.js'
import { isDamage } from './is-damage.js'
import { openDatabases, setCacheAside } from './open-databases.js'
import type { LocalStoreOptions } from './local-store-options.js'
import { isDiskFull } from './open-environment.js'
import { createPendingAccesses } from './pending-accesses.js'
import { repairImages } from './repair-images.js'
import { createVerifiedImages } from './verified-images.js'

/** Of the store, while others need room. */
const SHARE_OF_OWNER = 0.25
const MAX_PENDING_ACCESSES = 10_000
const DEFAULT_RESERVE_BYTES = 64_000_000

/** What a local store consists of while its folder exists. */
export type Parts = Awaited<ReturnType<typeof openPartsOnce>>

interface PartsEvents {
  onManyAccesses: () => void
}

/** Opens the folder of a local store, and creates it when it is missing. */
export async function openParts(options: LocalStoreOptions, events: PartsEvents): Promise<Parts> {
  try {
    return await openPartsOnce(options, events)
  } catch (error) {
    if (!isDamage(error)) throw error
    // Some damage shows only when rows are deleted, which the check of the database does not try.
    const { dataDir, clock = Date.now, onDamaged = emitWarning } = options
    onDamaged(await setCacheAside(dataDir, { reason: error.message, now: clock() }))
    return openPartsOnce(options, events)
  }
}

async function openPartsOnce(options: LocalStoreOptions, { onManyAccesses }: PartsEvents) {
  const { dataDir, maxBytes, clock = Date.now, onDamaged = emitWarning } = options
  await ensureDataDir(dataDir)
  const files = await openImageFiles(join(dataDir, 'images'))
  const { reserveBytes = DEFAULT_RESERVE_BYTES } = options
  const { database, keyDatabase } = await openDatabases({ dataDir, reserveBytes, clock, onDamaged })
  const pendingAccesses = createPendingAccesses({ limit: MAX_PENDING_ACCESSES, onFull: onManyAccesses })
  const lruIndex = createLruIndex(database, { shareBytes: maxBytes * SHARE_OF_OWNER })
  const imageTable = createImageTable({ database, files, lruIndex, pendingAccesses, clock })
  const entryTable = createEntryTable({ database, imageTable, lruIndex, maxBytes, clock })
  const eviction = createEviction({ entryTable, imageTable, lruIndex, pendingAccesses, maxBytes, clock })
  const maintenance = createMaintenance({ database, files, eviction, pendingAccesses })
  const verifiedImages = createVerifiedImages(files)
  const shared = {
    database,
    files,
    entryTable,
    imageTable,
    maintenance,
    pendingAccesses,
    verifiedImages,
    maxBytes,
    clock,
  }
  const close = () => Promise.all([database.close(), keyDatabase.close()])
  try {
    await repairImages({ database, files, entryTable })
    await maintenance.evict()
  } catch (error) {
    // On a full disk, what is stored can still be read.
    if (!isDiskFull(error)) {
      await close()
      throw error
    }
  }
  return {
    entries: createLocalEntries(shared),
    images: { ...createImageWriter(shared), ...createImageReader(shared) },
    counters: createLocalCounters(keyDatabase),
    keys: createLocalApiKeys(keyDatabase),
    usage: createLocalKeyUsage(keyDatabase),
    purges: createLocalPurges(shared),
    database,
    keyDatabase,
    lruIndex,
    maintenance,
    close,
  }
}
