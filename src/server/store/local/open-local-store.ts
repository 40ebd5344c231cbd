import { setImmediate } from 'node:timers/promises'
import { firstUsageDay, parseApiKey, type ApiKeyStore } from '../api-keys.js'
import { decodeEntry, digest, type CacheEntry } from '../cache-entry.js'
import { createDrainGate } from '../drain-gate.js'
import { parseJson } from '../parse-json.js'
import { MAX_LOGGED_PURGES, parsePurge, PURGES_PER_READ } from '../purges.js'
import type { EntryStore, ImageStore, LocalStore, PurgeLog, RequestCounters } from '../store-parts.js'
import { createImageName, isImageName, type ImageName } from '../stored-image.js'
import { openDataFolder, type LocalStoreOptions, type OpenFolder } from './data-folder.js'
import { isDiskFull, ROWS_PER_TRANSACTION } from './open-environment.js'

type Run = Awaited<ReturnType<typeof openDataFolder>>['run']

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
  const folder = await openDataFolder({ ...options, reserveBytes, clock, onError, onDamaged }, onManyAccesses)
  const run: Run = (work) => gate.run(() => folder.run(work))
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

const createLocalEntries = (run: Run): EntryStore => ({
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

/**
 * The images of a local store: files for the bytes, rows for their size and last use. One that is lost is deleted with the entries
 * that name it.
 */
const createLocalImages = (run: Run): ImageStore => ({
  writeImage: (bytes, type, owner) =>
    run(async (folder) => {
      const { maxBytes, eviction } = folder
      const name = await createImageName(bytes, type)
      if (bytes.length > maxBytes)
        throw new RangeError(`An image of ${bytes.length} bytes is larger than the whole store (${maxBytes} bytes)`)
      if (!(await addExisting(name, bytes.length, owner, folder))) await addNew(name, bytes, owner, folder)
      await eviction.evict(owner)
      return name
    }),

  readImage: (name) =>
    run(async (folder) => {
      const { files, pendingAccesses, clock } = folder
      if ((await findStored(name, folder)) === undefined) return undefined
      const bytes = await files.read(name)
      if (bytes) pendingAccesses.add(`image:${name}`, clock())
      return bytes
    }),

  openImage: (name) =>
    run(async (folder) => {
      const { files, pendingAccesses, clock } = folder
      const size = await findStored(name, folder)
      if (size === undefined) return undefined
      pendingAccesses.add(`image:${name}`, clock())
      return { size, stream: (range) => files.stream(name, range) }
    }),

  deleteImages: (names) =>
    run(({ database, entryTable }) => database.changeEach(names, (name) => entryTable.deleteLostImage(name))),
})

/** Checks for the file inside the transaction, because another process may remove it until then. */
async function addExisting(
  name: ImageName,
  size: number,
  owner: string | undefined,
  { files, database, imageTable }: OpenFolder,
): Promise<boolean> {
  if (!files.has(name, size)) return false
  return database.addData(() => {
    if (!files.has(name, size)) return false
    imageTable.add(name, size, owner)
    return true
  })
}

async function addNew(
  name: ImageName,
  bytes: Uint8Array,
  owner: string | undefined,
  { files, database, imageTable, verifiedImages }: OpenFolder,
): Promise<void> {
  const temporaryPath = await files.writeTemporary(bytes)
  let isInPlace = false
  try {
    await database.addData(() => {
      if (!isInPlace) files.commit(temporaryPath, name)
      isInPlace = true
      imageTable.add(name, bytes.length, owner)
    })
    verifiedImages.addWritten(name)
  } finally {
    await files.removeTemporary(temporaryPath)
  }
}

/** The size of an image that is stored and intact; otherwise it is deleted with the entries that name it. */
async function findStored(
  name: ImageName,
  { database, entryTable, files, verifiedImages }: OpenFolder,
): Promise<number | undefined> {
  if (!isImageName(name)) return undefined
  const size = database.images.get(name)?.size
  if (size === undefined) return undefined
  if (!files.has(name, size)) {
    unlessFull(() =>
      database.transaction(() => {
        // Another process may have written the image meanwhile.
        const latest = database.images.get(name)?.size
        if (latest !== undefined && !files.has(name, latest)) entryTable.deleteLostImage(name)
      }),
    )
    return undefined
  }
  if (await verifiedImages.isIntact(name, size)) return database.images.get(name)?.size
  unlessFull(() => database.transaction(() => entryTable.deleteLostImage(name)))
  return undefined
}

/** On a full disk, a lost image is found again with the next read. */
function unlessFull(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
}

/** Other processes may use the same folder. */
const createLocalPurgeLog = (run: Run): PurgeLog => ({
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

/** The API keys of a local store. */
const createLocalApiKeys = (run: Run): ApiKeyStore => ({
  writeKey: (key) =>
    run(async ({ keyDatabase: { apiKeys, addData, transaction } }) => {
      const write = () => apiKeys.putSync(digest(key.id), JSON.stringify(key))
      // Revoking must be possible on a full disk too, so it may use the reserved space.
      if (key.revokedAt === undefined) await addData(write)
      else transaction(write)
    }),

  changeKey: (id, change) =>
    run(async ({ keyDatabase: { apiKeys, addData, refresh, transaction } }) => {
      const row = digest(id)
      const changed = () => change(parseApiKey(apiKeys.get(row) ?? ''))
      const write = () => {
        const key = changed()
        if (key) apiKeys.putSync(row, JSON.stringify(key))
        return key
      }
      refresh()
      return changed()?.revokedAt === undefined ? addData(write) : transaction(write)
    }),

  readKey: (id) =>
    run(async ({ keyDatabase: { apiKeys, refresh } }) => {
      refresh()
      return parseApiKey(apiKeys.get(digest(id)) ?? '')
    }),

  listKeys: () =>
    run(async ({ keyDatabase: { apiKeys, refresh } }) => {
      refresh()
      return [...apiKeys.getRange()]
        .flatMap(({ value }) => parseApiKey(value) ?? [])
        .toSorted((a, b) => a.createdAt - b.createdAt)
    }),

  countUsage: (id, day, count = 1) =>
    run(({ keyDatabase: { usage, addData } }) =>
      addData(() => {
        const expired = [...usage.getKeys({ start: [id, ''], end: [id, firstUsageDay(day)] })]
        for (const row of expired) usage.removeSync(row)
        const sum = parseCount(usage.get([id, day])) + count
        usage.putSync([id, day], JSON.stringify(sum))
        return sum
      }),
    ),

  readUsage: (id, days) =>
    run(async ({ keyDatabase: { usage, refresh } }) => {
      refresh()
      return days.map((day) => parseCount(usage.get([id, day])))
    }),
})

/** The request counters of a local store. */
const createLocalCounters = (run: Run): RequestCounters => ({
  countRequest: (client, day, count = 1) =>
    run(({ keyDatabase: { counts, addData } }) =>
      addData(() => {
        const expired = [...counts.getKeys({ start: [''], end: [day], limit: ROWS_PER_TRANSACTION })]
        for (const row of expired) counts.removeSync(row)
        const sum = parseCount(counts.get([day, client])) + count
        counts.putSync([day, client], JSON.stringify(sum))
        return sum
      }),
    ),

  readCount: (client, day) => run(async ({ keyDatabase: { counts } }) => parseCount(counts.get([day, client]))),
})

/** A damaged counter counts as missing. */
function parseCount(json = ''): number {
  const sum = parseJson(json)
  return typeof sum === 'number' && Number.isSafeInteger(sum) ? sum : 0
}
