import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { hasErrorCode } from '../../node-errors.js'
import type { ApiKeyStore } from '../api-keys.js'
import { digest, originalsOf, type CacheEntry } from '../cache-entry.js'
import { dataFiles, ensureDataDir } from '../data-dir.js'
import { createDrainGate } from '../drain-gate.js'
import type { EntryStore, ImageStore, LocalStore, PurgeLog, RequestCounters } from '../store-parts.js'
import { createImageName, isImageName, type ImageName } from '../stored-image.js'
import {
  createPendingAccesses,
  openCacheDatabase,
  scan,
  type CacheDatabase,
  type PendingAccesses,
} from './cache-database.js'
import { isDiskFull, type Replacement } from './database-file.js'
import { createEviction, repairImages } from './eviction.js'
import { createVerifiedImages, openImageFiles, type ImageFiles } from './image-files.js'
import { openKeyDatabase, type KeyDatabase, type KeyTables } from './key-database.js'

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

/** The cache on this machine. */
interface Cache {
  database: CacheDatabase
  files: ImageFiles
  accesses: PendingAccesses
  eviction: ReturnType<typeof createEviction>
  verifiedImages: ReturnType<typeof createVerifiedImages>
  maxBytes: number
  clock: () => number
}

const MAINTENANCE_INTERVAL_MS = 60_000
const FILE_CHECK_INTERVAL_MS = 1_000
/** Entries that are read before requests are served again. */
const ITEMS_PER_TURN = 200
const DEFAULT_RESERVE_BYTES = 64_000_000
/** Another process, such as the command `purge`, may add one. */
const PURGE_POLL_INTERVAL_MS = 300
const MAX_PENDING_ACCESSES = 10_000

/**
 * Opens the store of one machine: entries in a SQLite database, counters and keys in another, images as files beside them. It
 * first sets damaged databases aside and repairs what a killed process left inconsistent. A method rejects with the error of the
 * disk itself, such as `ENOSPC`.
 *
 * @throws  Error with a sentence for the operator when other users can read or change the folder, or the disk is full.
 */
export async function openLocalStore(options: LocalStoreOptions): Promise<LocalStore> {
  const settings = withDefaults(options)
  const { dataDir, onError } = settings
  const gate = createDrainGate(`The store in ${dataDir}`)
  const inBackground = (work: () => Promise<void>) => void (gate.isOpen() && gate.run(work).catch(onError))

  await ensureDataDir(dataDir)
  const keys = openKeys(settings)
  const cache = await openCache(settings, inBackground).catch((error: unknown) => {
    keys.close()
    throw error
  })
  const { database, eviction } = cache

  async function maintain(): Promise<void> {
    await eviction.flushAccesses()
    await eviction.evict()
    await database.shrink()
    await cache.files.removeAbandonedTemporaries()
  }

  async function checkFiles(): Promise<void> {
    database.check()
    keys.check()
  }

  async function release(): Promise<void> {
    try {
      await eviction.flushAccesses()
    } catch (error) {
      // It costs only the order of eviction.
      if (!isDiskFull(error)) onError(error)
    } finally {
      database.close()
      keys.close()
    }
  }

  const timers = [
    setInterval(() => inBackground(maintain), MAINTENANCE_INTERVAL_MS),
    setInterval(() => inBackground(checkFiles), FILE_CHECK_INTERVAL_MS),
  ]
  for (const timer of timers) timer.unref()

  return {
    entries: gate.guard(createLocalEntries(cache)),
    images: gate.guard(createLocalImages(cache)),
    counters: gate.guard(createLocalCounters(keys)),
    apiKeys: gate.guard(createLocalApiKeys(keys)),
    purgeLog: gate.guard(createLocalPurgeLog(database)),
    health: {
      isReady: async () => gate.isOpen() && succeeds(() => database.read((tables) => tables.totalBytes())),
      isWritable: async () => gate.isOpen() && succeeds(() => database.assertWritable()),
      usedBytes: () => gate.run(async () => database.read((tables) => tables.totalBytes())),
    },
    close() {
      for (const timer of timers) clearInterval(timer)
      return gate.close(release)
    },
  }
}

/** Opens the API keys of a data folder without its cache, which a running service may have in use. */
export async function openLocalApiKeys(dataDir: string): Promise<{ apiKeys: ApiKeyStore; close(): Promise<void> }> {
  await ensureDataDir(dataDir)
  const keys = openKeys(withDefaults({ dataDir, maxBytes: 0 }))
  const gate = createDrainGate(`The API keys in ${dataDir}`)
  return { apiKeys: gate.guard(createLocalApiKeys(keys)), close: () => gate.close(async () => keys.close()) }
}

const withDefaults = ({
  reserveBytes = DEFAULT_RESERVE_BYTES,
  clock = Date.now,
  onError = emitWarning,
  onDamaged = emitWarning,
  ...options
}: LocalStoreOptions): Required<LocalStoreOptions> => ({ reserveBytes, clock, onError, onDamaged, ...options })

function emitWarning(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}

function succeeds(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

/** Without the signing secret, URLs that were signed by stored keys are refused, so it is written again with them. */
function openKeys({ dataDir, onDamaged, ...options }: Required<LocalStoreOptions>): KeyDatabase {
  const { keyDatabase, signingSecret } = dataFiles(dataDir)
  const secret = readSecret()
  return openKeyDatabase(keyDatabase, {
    ...options,
    onReplaced({ damage }, message) {
      if (damage === undefined && secret)
        unlessExists(() => writeFileSync(signingSecret, secret, { flag: 'wx', mode: 0o600 }))
      onDamaged(message)
    },
  })

  function readSecret(): Buffer | undefined {
    try {
      return readFileSync(signingSecret)
    } catch {
      // The signatures are checked elsewhere, with a sentence for the operator.
      return undefined
    }
  }
}

/** Another process may have created it in the meantime. */
function unlessExists(create: () => void): void {
  try {
    create()
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
  }
}

async function openCache(
  { dataDir, maxBytes, reserveBytes, clock, onDamaged }: Required<LocalStoreOptions>,
  inBackground: (work: () => Promise<void>) => void,
): Promise<Cache> {
  const { database: path } = dataFiles(dataDir)
  const files = await openImageFiles(join(dataDir, 'images'))
  const accesses = createPendingAccesses({
    limit: MAX_PENDING_ACCESSES,
    onFull: () => inBackground(() => eviction.flushAccesses()),
  })
  let isOpen = false
  const onReplaced = (replacement: Replacement) => {
    onDamaged(cacheMessage(path, replacement))
    // The images of the lost rows are of no use any more.
    if (isOpen) inBackground(() => repairImages(database, files))
  }
  const database = openCacheDatabase(path, { files, maxBytes, clock, accesses, reserveBytes, onReplaced })
  const eviction = createEviction(database, { clock, accesses })
  isOpen = true
  try {
    await repairImages(database, files)
    await eviction.evict()
    await database.shrink()
  } catch (error) {
    // On a full disk, what is stored can still be read.
    if (!isDiskFull(error)) {
      database.close()
      throw error
    }
  }
  return { database, files, accesses, eviction, verifiedImages: createVerifiedImages(files), maxBytes, clock }
}

const cacheMessage = (path: string, { damage, asidePath }: Replacement): string =>
  (damage === undefined
    ? `The cache ${path} was removed or replaced, and has been created again. `
    : `The cache ${path} is damaged (${damage})${asidePath === undefined ? '' : ` and was set aside as ${asidePath}`}. `) +
  'All cached results and images are lost; API keys and request counters are not in it.'

const createLocalEntries = ({ database, accesses, eviction, clock }: Cache): EntryStore => ({
  async readEntry<Body>(key: string): Promise<CacheEntry<Body> | undefined> {
    const id = digest(key)
    const entry = database.read((tables) => tables.findEntry(id)) as CacheEntry<Body> | undefined
    if (!entry || entry.expiresAt <= clock()) return undefined
    accesses.add({ entry: id }, clock())
    return entry
  },

  async writeEntry(key, entry) {
    database.addData((tables) => tables.putEntry(digest(key), entry))
    await eviction.evict(entry.owner)
  },

  async extendEntry(key, { createdAt, expiresAt }) {
    const id = digest(key)
    database.addData((tables) => {
      const entry = tables.findEntry(id)
      if (entry?.createdAt === createdAt && entry.expiresAt < expiresAt) tables.putEntry(id, { ...entry, expiresAt })
    })
  },

  async findNamedImages(names, condition) {
    // A variant is named by the entry of its original.
    const isNamed = (name: ImageName, mayBeVariant: boolean): boolean =>
      database
        .read((tables) => tables.entriesNaming(name))
        .some(
          (entry) =>
            condition(entry) && originalsOf(entry).every((original) => mayBeVariant && isNamed(original, false)),
        )
    const named: ImageName[] = []
    for (let start = 0; start < names.length; start += ITEMS_PER_TURN, await nextTurn())
      for (const name of names.slice(start, start + ITEMS_PER_TURN)) if (isNamed(name, true)) named.push(name)
    return named
  },

  async findItems(purge, matches) {
    const ids: string[] = []
    const images = new Set<ImageName>()
    const add = (id: string, entry: CacheEntry | undefined) => {
      if (!entry || !matches(entry)) return
      ids.push(id)
      for (const name of entry.images) images.add(name)
    }
    if (!('all' in purge)) {
      const items = [...new Set(database.read((tables) => tables.itemsAbout(purge)))]
      for (let start = 0; start < items.length; start += ITEMS_PER_TURN, await nextTurn())
        for (const item of items.slice(start, start + ITEMS_PER_TURN)) {
          if (!isImageName(item))
            add(
              item,
              database.read((tables) => tables.findEntry(item)),
            )
          else if (matches(database.read((tables) => tables.findImage(item)))) images.add(item)
        }
      return { ids, images: [...images] }
    }
    for await (const rows of scan(database, (tables, after) => tables.entriesAfter(after)))
      for (const { id, entry } of rows) add(id, entry)
    for await (const rows of scan(database, (tables, after) => tables.imagesAfter(after)))
      for (const { name, ...item } of rows) if (isImageName(name) && matches(item)) images.add(name)
    return { ids, images: [...images] }
  },

  deleteEntries: (ids) => database.changeEach(ids, (tables, id) => tables.deleteEntry(id, () => false)),
})

/**
 * The images of a local store: files for the bytes, rows for their size and last use. One that is lost is deleted with the entries
 * that name it.
 */
function createLocalImages(cache: Cache): ImageStore {
  const { database, files, accesses, eviction, verifiedImages, maxBytes, clock } = cache

  /** Checks for the file inside the transaction, because another process may remove it until then. */
  function addExisting(name: ImageName, size: number, owner: string | undefined): boolean {
    if (files.sizeOf(name) !== size) return false
    return database.addData((tables) => {
      if (files.sizeOf(name) !== size) return false
      tables.addImage(name, size, owner)
      return true
    })
  }

  async function addNew(name: ImageName, bytes: Uint8Array, owner: string | undefined): Promise<void> {
    database.assertWritable()
    const temporaryPath = await files.writeTemporary(bytes)
    let isInPlace = false
    try {
      database.addData((tables) => {
        if (!isInPlace) files.commit(temporaryPath, name)
        isInPlace = true
        tables.addImage(name, bytes.length, owner)
      })
      verifiedImages.addWritten(name)
    } finally {
      await files.removeTemporary(temporaryPath)
    }
  }

  /** The size of an image that is stored and intact; otherwise it is deleted with the entries that name it. */
  async function findStored(name: ImageName): Promise<number | undefined> {
    if (!isImageName(name)) return undefined
    const sizeOfRow = () => database.read((tables) => tables.sizeOfImage(name))
    const size = sizeOfRow()
    if (size === undefined) return undefined
    if (files.sizeOf(name) !== size) {
      deleteLost(name, (latest) => files.sizeOf(name) !== latest)
      return undefined
    }
    if (await verifiedImages.isIntact(name, size)) return sizeOfRow()
    deleteLost(name, () => true)
    return undefined
  }

  /** Another process may have written the image meanwhile. On a full disk, a lost image is found again with the next read. */
  function deleteLost(name: ImageName, isLost: (size: number) => boolean): void {
    try {
      database.write((tables) => {
        const size = tables.sizeOfImage(name)
        if (size !== undefined && isLost(size)) tables.deleteLostImage(name)
      })
    } catch (error) {
      if (!isDiskFull(error)) throw error
    }
  }

  return {
    async writeImage(bytes, type, owner) {
      const name = await createImageName(bytes, type)
      if (bytes.length > maxBytes)
        throw new RangeError(`An image of ${bytes.length} bytes is larger than the whole store (${maxBytes} bytes)`)
      if (!addExisting(name, bytes.length, owner)) await addNew(name, bytes, owner)
      await eviction.evict(owner)
      return name
    },

    async readImage(name) {
      if ((await findStored(name)) === undefined) return undefined
      const bytes = await files.read(name)
      if (bytes) accesses.add({ image: name }, clock())
      return bytes
    },

    async openImage(name) {
      const size = await findStored(name)
      if (size === undefined) return undefined
      accesses.add({ image: name }, clock())
      return { size, stream: (range) => files.stream(name, range) }
    },

    deleteImages: (names) => database.changeEach(names, (tables, name) => tables.deleteLostImage(name)),
  }
}

/** Other processes may use the same folder. */
const createLocalPurgeLog = (database: CacheDatabase): PurgeLog => ({
  addPurge: async (purge) => database.write((tables) => tables.addPurge(purge)),
  readPurges: async (after) => database.read((tables) => tables.readPurges(after)),
  waitForPurge: async (_, signal) => delay(PURGE_POLL_INTERVAL_MS, undefined, { signal, ref: false }),
})

const createLocalApiKeys = (keys: KeyDatabase): ApiKeyStore => ({
  async writeKey(key) {
    // Revoking must be possible on a full disk too, so it may use the reserved space.
    if (key.revokedAt === undefined) keys.addData((tables) => tables.writeKey(key), 'FULL')
    else keys.write((tables) => tables.writeKey(key), 'FULL')
  },
  async changeKey(id, change) {
    const write = (tables: KeyTables) => {
      const key = change(tables.readKey(id))
      if (key) tables.writeKey(key)
      return key
    }
    const changed = change(keys.read((tables) => tables.readKey(id)))
    return changed?.revokedAt === undefined ? keys.addData(write, 'FULL') : keys.write(write, 'FULL')
  },
  readKey: async (id) => keys.read((tables) => tables.readKey(id)),
  listKeys: async () => keys.read((tables) => tables.listKeys()),
  countUsage: async (id, day, count = 1) => keys.addData((tables) => tables.countUsage(id, day, count)),
  readUsage: async (id, days) => keys.read((tables) => days.map((day) => tables.readUsage(id, day))),
})

const createLocalCounters = (keys: KeyDatabase): RequestCounters => ({
  countRequest: async (client, day, count = 1) => keys.addData((tables) => tables.countRequest(client, day, count)),
  readCount: async (client, day) => keys.read((tables) => tables.readCount(client, day)),
})
