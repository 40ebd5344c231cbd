import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { openDatabase } from './database.js'
import { digest } from './digest.js'
import { createDrainGate } from './drain-gate.js'
import { isImageName, nameImage, openImageFiles } from './image-files.js'
import { createLruIndex } from './lru-index.js'
import { healImages } from './heal-images.js'
import { createCacheTable } from './cache-table.js'
import type { ImageName, CacheEntry, Store } from './store.js'
import { createPendingAccesses } from './pending-accesses.js'

/** As often expired entries are removed and uses written down. */
const TIDY_EVERY_MS = 60_000
/** So many rows a transaction, so that requests come in between. */
const ROWS_A_CHANGE = 25
const MAX_TOUCHES = 10_000

export interface LocalStoreOptions {
  /** Made when missing; several processes may open the same at once. */
  dataDir: string
  /** Answers and images together. */
  maxBytes: number
  /** Free bytes of the disk that are never used up: below that, writing fails with `ENOSPC`. Default: 64 MB. */
  reserveBytes?: number
  /** Milliseconds since 1970. */
  clock?: () => number
  /** Told what went wrong while no caller was waiting. Default: a warning of the process. */
  onError?: (error: unknown) => void
}

/**
 * Opens the store of one machine: answers, counters and keys in one lmdb environment, images as files beside it. What a
 * process left unfinished when it was killed is put in order first. A promise of a write is kept on the disk, not in memory.
 */
export async function openLocalStore({
  dataDir,
  maxBytes,
  reserveBytes = 64_000_000,
  clock = Date.now,
  onError = warn,
}: LocalStoreOptions): Promise<Store> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const files = await openImageFiles(join(dataDir, 'images'))
  const database = openDatabase(join(dataDir, 'store.mdb'), reserveBytes)
  const pendingAccesses = createPendingAccesses({ limit: MAX_TOUCHES, onFull: () => inBackground(writeTouches) })
  const lruIndex = createLruIndex(database)
  const cacheTable = createCacheTable({ database, files, lruIndex, pendingAccesses, maxBytes, clock })
  const gate = createDrainGate(`The store of ${dataDir}`)

  try {
    await healImages({ database, files, cacheTable, rowsAChange: ROWS_A_CHANGE })
    await removeWhatMustGo()
  } catch (error) {
    await database.close()
    throw error
  }
  const timer = setInterval(() => inBackground(tidy), TIDY_EVERY_MS).unref()

  async function tidy() {
    await writeTouches()
    await removeWhatMustGo()
    await files.removeOldTemporaries()
  }

  async function removeWhatMustGo() {
    while (database.change(() => cacheTable.removeSome(ROWS_A_CHANGE))) await setImmediate()
  }

  async function writeTouches() {
    for (
      let some = pendingAccesses.takeSome(ROWS_A_CHANGE);
      some.length > 0;
      some = pendingAccesses.takeSome(ROWS_A_CHANGE)
    ) {
      database.change(() => {
        for (const [entry, at] of some) cacheTable.use(entry, at)
      })
      await setImmediate()
    }
  }

  async function keepImage(bytes: Uint8Array, type: string): Promise<ImageName> {
    const name = nameImage(bytes, type)
    if (bytes.length > maxBytes) {
      throw new RangeError(`An image of ${bytes.length} bytes is more than the ${maxBytes} that may be kept`)
    }
    let temporary = files.has(name, bytes.length) ? undefined : await files.writeTemporary(bytes)
    const place = () => {
      if (temporary) files.place(temporary, name)
      else if (!files.has(name, bytes.length)) return false
      cacheTable.putImage(name, bytes.length)
      return true
    }
    try {
      // The file that was there may have gone before the transaction began.
      while (!database.add(place)) temporary = await files.writeTemporary(bytes)
    } finally {
      if (temporary) await files.removeTemporary(temporary)
    }
    await removeWhatMustGo()
    return name
  }

  async function findImage(name: string): Promise<Uint8Array | undefined> {
    const record = isImageName(name) ? database.images.get(name) : undefined
    if (!record || !isImageName(name)) return undefined
    const bytes = await files.read(name)
    if (bytes?.length === record.size) {
      pendingAccesses.add(`image:${name}`, clock())
      return bytes
    }
    database.change(() => {
      const size = database.images.get(name)?.size
      if (size !== undefined && !files.has(name, size)) cacheTable.loseImage(name)
    })
    return undefined
  }

  async function close() {
    try {
      await writeTouches()
    } finally {
      await database.close()
    }
  }

  function inBackground(work: () => Promise<unknown>) {
    gate.enter(work).catch(onError)
  }

  return {
    async readEntry<Body>(key: string): Promise<CacheEntry<Body> | undefined> {
      gate.mustBeOpen()
      const id = digest(key)
      const found = database.answers.get(id)
      if (!found || found.expiresAt <= clock()) return undefined
      pendingAccesses.add(`answer:${id}`, clock())
      const { createdAt, expiresAt, images, body } = found as CacheEntry<Body>
      return { createdAt, expiresAt, images, body }
    },
    writeEntry: <Body>(key: string, answer: CacheEntry<Body>) =>
      gate.enter(async () => {
        database.add(() => cacheTable.putAnswer(digest(key), answer))
        await removeWhatMustGo()
      }),
    writeImage: (bytes, type) => gate.enter(() => keepImage(bytes, type)),
    readImage: (name) => gate.enter(() => findImage(name)),

    async countRequest(client, day) {
      gate.mustBeOpen()
      return database.add(() => {
        const { counts } = database
        const before = [...counts.getKeys({ start: [''], end: [day], limit: ROWS_A_CHANGE })]
        for (const row of before) counts.removeSync(row)
        const sum = (counts.get([day, client]) ?? 0) + 1
        counts.putSync([day, client], sum)
        return sum
      })
    },
    async readCount(client, day) {
      gate.mustBeOpen()
      return database.counts.get([day, client]) ?? 0
    },

    async writeKey(key) {
      gate.mustBeOpen()
      const write = () => database.keys.putSync(digest(key.id), key)
      // A key is revoked out of the reserve: that must be possible on a full disk too.
      if (key.revokedAt === undefined) database.add(write)
      else database.change(write)
    },
    async readKey(id) {
      gate.mustBeOpen()
      database.refresh()
      return database.keys.get(digest(id))
    },
    async listKeys() {
      gate.mustBeOpen()
      database.refresh()
      return [...database.keys.getRange()].map(({ value }) => value).toSorted((a, b) => a.createdAt - b.createdAt)
    },

    async usedBytes() {
      gate.mustBeOpen()
      return lruIndex.totalBytes()
    },

    async exclusively(_, work) {
      gate.mustBeOpen()
      return work()
    },
    async isReady() {
      if (!gate.isOpen()) return false
      try {
        database.totals.get('bytes')
        return true
      } catch {
        // The answer itself says so: nothing else is to be done here.
        return false
      }
    },

    close() {
      clearInterval(timer)
      return gate.close(close)
    },
  }
}

function warn(error: unknown) {
  process.emitWarning(error instanceof Error ? error : String(error))
}
