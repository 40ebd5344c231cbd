import { LRUCache } from 'lru-cache'
import { hasErrorCode } from '../../node-errors.js'
import { digest, encodeEntry, originalsOf, type CacheEntry } from '../cache-entry.js'
import type { EntryStore, ImageStore, LocalStore, RequestCounters } from '../store-parts.js'
import { createImageName, imageInMemory, type ImageName } from '../stored-image.js'
import { isDamage, isIoError } from './database-file.js'

const MAX_IMAGE_BYTES = 64 * 1024 * 1024
const MAX_ENTRY_BYTES = 16 * 1024 * 1024
const MAX_CLIENTS = 10_000

/** A disk that is full, read-only, broken or gone, and no file that may be opened. */
const DISK_CODES = [
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EROFS',
  'EACCES',
  'EPERM',
  'EIO',
  'ESTALE',
  'ENOENT',
  'EBUSY',
  'EMFILE',
  'ENFILE',
] as const

/**
 * Keeps what a local store cannot write in memory, as much as fits, so that a full disk fails no request. It is written to
 * the disk as soon as that works again. API keys are never in memory only: writing one rejects.
 *
 * @param options.clock    Milliseconds since 1970.
 * @param options.onEvent  Called once when writing fails, and once when it works again.
 */
export function storeInMemoryWhenFull(
  store: LocalStore,
  {
    clock,
    onEvent,
    onError,
  }: {
    clock: () => number
    onEvent: (event: 'store-not-writable' | 'store-writable', error?: Error) => void
    onError: (error: unknown) => void
  },
): LocalStore {
  let saving: Promise<void> | undefined
  const disk = createDiskState({
    onFailed: (error) => onEvent('store-not-writable', error),
    onWorking() {
      onEvent('store-writable')
      saving = saveAll().catch(onError)
    },
  })
  const unsaved = createUnsavedResults()
  const counts = createUnsavedCounts()

  async function writeEntry<Body>(key: string, entry: CacheEntry<Body>): Promise<void> {
    try {
      for (const name of entry.images) await saveImage(name, entry.owner)
      await store.entries.writeEntry(key, entry)
      unsaved.entries.delete(key)
      disk.markWorking()
    } catch (error) {
      disk.markFailed(error)
      unsaved.entries.set(key, entry)
    }
  }

  /** Writes an image that is in memory only; does nothing for others. */
  async function saveImage(name: ImageName, owner: string | undefined): Promise<void> {
    const bytes = unsaved.images.get(name)
    if (!bytes) return
    await store.images.writeImage(bytes, name.split('.')[1]!, owner)
    unsaved.images.delete(name)
  }

  /** Writes what is in memory only, until writing fails again. */
  async function saveAll(): Promise<void> {
    for (const [key, entry] of unsaved.entries.entries()) {
      if (!disk.isWritable()) return
      await writeEntry(key, entry)
    }
    if (disk.isWritable()) await counts.flush(store.counters)
  }

  const entries: EntryStore = {
    async readEntry<Body>(key: string) {
      const entry = unsaved.entries.get(key) as CacheEntry<Body> | undefined
      return entry && entry.expiresAt > clock() ? entry : store.entries.readEntry<Body>(key)
    },
    writeEntry,
    async extendEntry(key, life) {
      const entry = unsaved.entries.get(key)
      if (entry) {
        if (entry.createdAt === life.createdAt) unsaved.entries.set(key, { ...entry, ...life })
        return
      }
      try {
        await store.entries.extendEntry(key, life)
      } catch (error) {
        disk.markFailed(error)
      }
    },
    async findItems(purge, matches, scope) {
      const saved = await store.entries.findItems(purge, matches, scope)
      const found = [...unsaved.entries.entries()].filter(([, entry]) => matches(entry))
      return {
        ids: [...saved.ids, ...found.map(([key]) => digest(key))],
        images: [...saved.images, ...found.flatMap(([, entry]) => entry.images)],
      }
    },
    async findNamedImages(names, condition) {
      const found = [...unsaved.entries.entries()].flatMap(([, entry]) => (condition(entry) ? entry : []))
      const saved = await store.entries.findNamedImages([...names, ...found.flatMap(originalsOf)], condition)
      const named = new Set(saved)
      // A variant is named by the entry of its original.
      const pages = found.filter((entry) => originalsOf(entry).length === 0)
      for (const name of pages.flatMap(({ images }) => images)) named.add(name)
      const variants = found.filter((entry) => originalsOf(entry).some((original) => named.has(original)))
      for (const name of variants.flatMap(({ images }) => images)) named.add(name)
      return names.filter((name) => named.has(name))
    },
    async deleteEntries(ids, scope) {
      const deleted = new Set(ids)
      for (const key of unsaved.entries.keys()) if (deleted.has(digest(key))) unsaved.entries.delete(key)
      await store.entries.deleteEntries(ids, scope)
    },
  }

  const images: ImageStore = {
    async writeImage(...image) {
      const [bytes, type] = image
      try {
        const name = await store.images.writeImage(...image)
        unsaved.images.delete(name)
        disk.markWorking()
        return name
      } catch (error) {
        disk.markFailed(error)
        const name = await createImageName(bytes, type)
        unsaved.images.set(name, bytes)
        return name
      }
    },
    readImage: async (name) => unsaved.images.get(name) ?? store.images.readImage(name),
    async openImage(name) {
      const bytes = unsaved.images.get(name)
      return bytes ? imageInMemory(bytes) : store.images.openImage(name)
    },
    async deleteImages(names, scope) {
      for (const name of names) {
        unsaved.images.delete(name)
        unsaved.deleteEntriesOf(name)
      }
      await store.images.deleteImages(names, scope)
    },
  }

  const counters: RequestCounters = {
    async countRequest(client, day, count = 1) {
      try {
        const sum = await store.counters.countRequest(client, day, count)
        disk.markWorking()
        return sum + counts.of(client, day)
      } catch (error) {
        disk.markFailed(error)
        counts.add(client, day, count)
        return (await store.counters.readCount(client, day)) + counts.of(client, day)
      }
    },
    readCount: async (client, day) => (await store.counters.readCount(client, day)) + counts.of(client, day),
  }

  async function isWritable(): Promise<boolean> {
    const isDiskWritable = await store.health.isWritable()
    if (isDiskWritable) disk.markWorking()
    return isDiskWritable
  }

  return {
    ...store,
    entries,
    images,
    counters,
    health: { ...store.health, isWritable },
    async close() {
      await saving
      await store.close()
    },
  }
}

/** Entries and images that could not be written to the disk, as much as fits; an entry goes with the first of its images. */
function createUnsavedResults() {
  const entries = new LRUCache<string, CacheEntry>({
    maxSize: MAX_ENTRY_BYTES,
    sizeCalculation: (entry, key) => encodeEntry(entry).length + key.length,
  })
  const images = new LRUCache<ImageName, Uint8Array>({
    maxSize: MAX_IMAGE_BYTES,
    sizeCalculation: (bytes) => bytes.byteLength + 1,
    disposeAfter: (_, image, reason) => {
      if (reason === 'evict') deleteEntriesOf(image)
    },
  })

  function deleteEntriesOf(image: ImageName): void {
    for (const [key, entry] of entries.entries()) if (entry.images.includes(image)) entries.delete(key)
  }

  return { entries, images, deleteEntriesOf }
}

/** What was counted while the disk could not be written. */
function createUnsavedCounts() {
  const counts = new LRUCache<string, { client: string; day: string; count: number }>({ max: MAX_CLIENTS })
  const idOf = (client: string, day: string) => `${day} ${client}`
  const of = (client: string, day: string): number => counts.get(idOf(client, day))?.count ?? 0

  return {
    of,
    add(client: string, day: string, count: number): void {
      counts.set(idOf(client, day), { client, day, count: of(client, day) + count })
    },
    /** Adds them to the counters of a store; what cannot be written stays. */
    async flush(counters: Pick<RequestCounters, 'countRequest'>): Promise<void> {
      for (const [id, { client, day, count }] of counts.entries()) {
        await counters.countRequest(client, day, count)
        counts.delete(id)
      }
    },
  }
}

/**
 * Whether the disk can be written, as the last write found it.
 *
 * @param events.onFailed   Called when writing fails for the first time.
 * @param events.onWorking  Called when writing works again.
 */
export function createDiskState(events: { onFailed: (error: Error) => void; onWorking: () => void }) {
  let isWritable = true
  return {
    isWritable: () => isWritable,
    /** @throws the error, unless it is one of the disk. */
    markFailed(error: unknown): void {
      if (!isDiskError(error)) throw error
      if (isWritable) events.onFailed(error)
      isWritable = false
    },
    markWorking(): void {
      if (isWritable) return
      isWritable = true
      events.onWorking()
    },
  }
}

/** Others are mistakes of a caller, such as a key that is too long: keeping the result in memory would hide them. */
const isDiskError = (error: unknown): error is Error =>
  isDamage(error) || isIoError(error) || (error instanceof Error && hasErrorCode(error, ...DISK_CODES))
