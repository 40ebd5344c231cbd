import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode } from '../../node-errors.js'
import { decodeEntry, digest, type CacheEntry } from '../cache-entry.js'
import { dataFiles, ensureDataDir } from '../data-dir.js'
import { createDrainGate } from '../drain-gate.js'
import type { Store } from '../store.js'
import type { Database } from './database.js'
import { createEntryTable, type EntryTable } from './entry-table.js'
import { createEviction, type Eviction } from './eviction.js'
import { openImageFiles } from './image-files.js'
import { createImageTable } from './image-table.js'
import { createLocalKeys } from './key-database.js'
import { createLocalImages, repairImages } from './local-images.js'
import { createLocalPurges } from './local-purges.js'
import { createLruIndex, createPendingAccesses, type PendingAccesses } from './lru-index.js'
import { openDatabases, setCacheAside } from './open-databases.js'
import { isDamage, isDiskFull } from './open-environment.js'

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
  /** Receives a sentence for the operator when something was damaged or removed. Default: a warning of the process. */
  onDamaged?: (message: string) => void
}

type Settings = Required<LocalStoreOptions> & {
  /** Called when many accesses wait to be written. */
  onManyAccesses: () => void
}

/** What a local store consists of while its folder exists. */
type Parts = Awaited<ReturnType<typeof openPartsOnce>>

const MAINTENANCE_INTERVAL_MS = 60_000
const FOLDER_CHECK_INTERVAL_MS = 1_000
/** Of the store, while others need room. */
const SHARE_OF_OWNER = 0.25
const MAX_PENDING_ACCESSES = 10_000
const DEFAULT_RESERVE_BYTES = 64_000_000

/**
 * Opens the store of one machine: entries in an lmdb database, counters and keys in another, images as files beside them. It
 * first sets damaged databases aside and repairs what a killed process left inconsistent. When a write resolves, the data is
 * on the disk.
 *
 * @throws  Error with a sentence for the operator when other users can read or change the folder.
 */
export async function openLocalStore(options: LocalStoreOptions): Promise<Store> {
  const {
    reserveBytes = DEFAULT_RESERVE_BYTES,
    clock = Date.now,
    onError = emitWarning,
    onDamaged = emitWarning,
  } = options
  const gate = createDrainGate(`The store in ${options.dataDir}`)
  const inBackground = (work: () => Promise<void>) => void gate.run(work).catch(onError)
  const onManyAccesses = () => inBackground(() => parts.current().eviction.flushAccesses())
  const parts = await createReplaceableParts({ ...options, reserveBytes, clock, onError, onDamaged, onManyAccesses })
  const run = <Result>(work: (current: Parts) => Promise<Result>) => gate.run(() => parts.run(work))
  const timer = setInterval(() => inBackground(() => parts.run(maintain)), MAINTENANCE_INTERVAL_MS)
  timer.unref()
  const folderCheck = setInterval(() => inBackground(() => parts.checkFolder()), FOLDER_CHECK_INTERVAL_MS)
  folderCheck.unref()

  return {
    readEntry: <Body>(key: string) => run(({ entries }) => entries.readEntry<Body>(key)),
    writeEntry: (key, entry) => run(({ entries }) => entries.writeEntry(key, entry)),
    extendEntry: (key, life) => run(({ entries }) => entries.extendEntry(key, life)),
    writeImage: (...image) => run(({ images }) => images.writeImage(...image)),
    readImage: (name) => run(({ images }) => images.readImage(name)),
    openImage: (name) => run(({ images }) => images.openImage(name)),
    countRequest: (...request) => run(({ keys }) => keys.countRequest(...request)),
    readCount: (client, day) => run(({ keys }) => keys.readCount(client, day)),
    writeKey: (key) => run(({ keys }) => keys.writeKey(key)),
    readKey: (id) => run(({ keys }) => keys.readKey(id)),
    listKeys: () => run(({ keys }) => keys.listKeys()),
    countUsage: (...use) => run(({ keys }) => keys.countUsage(...use)),
    readUsage: (id, days) => run(({ keys }) => keys.readUsage(id, days)),
    addPurge: (purge) => run(({ purges }) => purges.addPurge(purge)),
    readPurges: (after) => run(({ purges }) => purges.readPurges(after)),
    findItems: (matches, scope) => run(({ purges }) => purges.findItems(matches, scope)),
    deleteEntries: (ids, scope) => run(({ purges }) => purges.deleteEntries(ids, scope)),
    deleteImages: (names, scope) => run(({ purges }) => purges.deleteImages(names, scope)),
    usedBytes: () => run(async ({ lruIndex }) => lruIndex.totalBytes()),
    async withLock(_, work) {
      gate.assertOpen()
      return work()
    },
    claim: async () => true,
    unclaim: async () => undefined,
    isWritable: () =>
      run(async ({ database }) => database.assertWritable()).then(
        () => true,
        () => false,
      ),
    isReady: async () => gate.isOpen() && isReadable(parts.current()),
    dependencies: () => ({}),
    pendingUploads: () => new Set(),
    checkDependencies: async () => undefined,
    close() {
      clearInterval(timer)
      clearInterval(folderCheck)
      return gate.close(() => parts.close())
    },
  }
}

function emitWarning(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}

async function maintain({ eviction, files }: Parts): Promise<void> {
  await eviction.flushAccesses()
  await eviction.evict()
  await files.removeAbandonedTemporaries()
}

function isReadable({ lruIndex }: Parts): boolean {
  try {
    lruIndex.totalBytes()
    return true
  } catch {
    return false
  }
}

/** The parts of a local store, which are opened again when the folder was removed while the service runs. */
async function createReplaceableParts(settings: Settings) {
  const { dataDir, onDamaged, onError } = settings
  const { database, signingSecret } = dataFiles(dataDir)
  const readFileId = () => stat(database).then(({ ino }) => ino, unlessMissing)
  let current = await openParts(settings)
  let fileId = await readFileId()
  // Without it, URLs that were signed by stored keys are refused.
  const secret = await readFile(signingSecret).catch(unlessMissing)
  let replacing: Promise<void> | undefined
  // Operations may still use the databases of a removed folder, so these are closed at the end.
  const replaced: Parts[] = []

  async function replace(previous: Parts): Promise<void> {
    if (current !== previous) return
    // The files of open databases can be read even after they were removed.
    const rows = previous.keyDatabase.rows()
    const next = await openParts(settings)
    try {
      next.keyDatabase.addRows(rows)
      if (secret) await writeFile(signingSecret, secret, { flag: 'wx', mode: 0o600 }).catch(unlessExists)
    } catch (error) {
      // It is tried again, and nothing may stay open each time.
      await next.close()
      throw error
    }
    replaced.push(previous)
    current = next
    fileId = await readFileId()
    onDamaged(
      `The data folder ${dataDir} was removed and has been created again. All cached results and images are lost; the ` +
        `API keys, their signing secret and the request counters (${rows.length} rows) were written again.`,
    )
  }

  const replaceOnce = (used: Parts) => (replacing ??= replace(used).finally(() => (replacing = undefined)))

  return {
    current: () => current,
    /** Runs an operation, and once more after the folder was created again. */
    async run<Result>(work: (parts: Parts) => Promise<Result>): Promise<Result> {
      const used = current
      try {
        return await work(used)
      } catch (error) {
        if (!isMissing(error)) throw error
        await replaceOnce(used)
        return work(current)
      }
    },
    /**
     * Opens the folder again when it was removed, which reads do not notice: open databases can be read even after their files
     * were removed.
     */
    async checkFolder(): Promise<void> {
      const used = current
      if ((await readFileId()) !== fileId) await replaceOnce(used)
    },
    /** Flushes and closes everything. */
    async close(): Promise<void> {
      try {
        await current.eviction.flushAccesses()
      } catch (error) {
        // It costs only the order of eviction: on a damaged page, too, everything else is closed.
        if (!isDiskFull(error)) onError(error)
      } finally {
        for (const parts of [current, ...replaced]) await parts.close()
      }
    },
  }
}

const isMissing = (error: unknown) => hasErrorCode(error, 'ENOENT')

const unlessMissing = (error: unknown) => {
  if (!isMissing(error)) throw error
  return undefined
}

/** Another process has created it in the meantime. */
const unlessExists = (error: unknown) => {
  if (!hasErrorCode(error, 'EEXIST')) throw error
}

/** Opens the folder of a local store, and creates it when it is missing. */
async function openParts(settings: Settings): Promise<Parts> {
  try {
    return await openPartsOnce(settings)
  } catch (error) {
    if (!isDamage(error)) throw error
    // Some damage shows only when rows are deleted, which the check of the database does not try.
    const { dataDir, clock, onDamaged } = settings
    onDamaged(await setCacheAside(dataDir, { reason: error.message, now: clock() }))
    return openPartsOnce(settings)
  }
}

async function openPartsOnce(settings: Settings) {
  const { dataDir, maxBytes, clock, onManyAccesses } = settings
  await ensureDataDir(dataDir)
  const files = await openImageFiles(join(dataDir, 'images'))
  const { database, keyDatabase } = await openDatabases(settings)
  const pendingAccesses = createPendingAccesses({ limit: MAX_PENDING_ACCESSES, onFull: onManyAccesses })
  const lruIndex = createLruIndex(database, { shareBytes: maxBytes * SHARE_OF_OWNER })
  const imageTable = createImageTable({ database, files, lruIndex, pendingAccesses, clock })
  const entryTable = createEntryTable({ database, imageTable, lruIndex, maxBytes, clock })
  const tables = { database, entryTable, imageTable, lruIndex, pendingAccesses, maxBytes, clock }
  const eviction = createEviction(tables)
  const close = () => Promise.all([database.close(), keyDatabase.close()])
  try {
    await repairImages({ database, files, entryTable })
    await eviction.evict()
  } catch (error) {
    // On a full disk, what is stored can still be read.
    if (!isDiskFull(error)) {
      await close()
      throw error
    }
  }
  return {
    entries: createLocalEntries({ ...tables, eviction }),
    images: createLocalImages({ ...tables, files, eviction }),
    keys: createLocalKeys(keyDatabase),
    purges: createLocalPurges(tables),
    database,
    keyDatabase,
    lruIndex,
    files,
    eviction,
    close,
  }
}

/** The cache entries of a local store. */
function createLocalEntries({
  database,
  entryTable,
  eviction,
  pendingAccesses,
  clock,
}: {
  database: Database
  entryTable: EntryTable
  eviction: Eviction
  pendingAccesses: PendingAccesses
  clock: () => number
}): Pick<Store, 'readEntry' | 'writeEntry' | 'extendEntry'> {
  return {
    async readEntry<Body>(key: string): Promise<CacheEntry<Body> | undefined> {
      const id = digest(key)
      const bytes = database.entries.get(id)
      const entry = bytes && decodeEntry<Body>(bytes)
      if (!entry || entry.expiresAt <= clock()) return undefined
      pendingAccesses.add(`entry:${id}`, clock())
      return entry
    },
    async writeEntry(key, entry) {
      await database.addData(() => entryTable.put(digest(key), entry))
      await eviction.evict(entry.owner)
    },
    async extendEntry(key, { createdAt, expiresAt }) {
      const id = digest(key)
      await database.addData(() => {
        const bytes = database.entries.get(id)
        const entry = bytes && decodeEntry(bytes)
        if (entry?.createdAt === createdAt && entry.expiresAt < expiresAt) entryTable.put(id, { ...entry, expiresAt })
      })
    },
  }
}
