import { LRUCache } from 'lru-cache'
import { digest } from '../digest.js'
import { encodeEntry } from '../entry-codec.js'
import { imageInMemory } from '../image-in-memory.js'
import { createImageName, type ImageName } from '../image-name.js'
import type { CacheEntry, Store } from '../store.js'
import { createUnsavedCounts } from './unsaved-counts.js'

export interface MemoryFallbackOptions {
  /** Milliseconds since 1970. */
  clock: () => number
  /** Called once when writing fails, and once when it works again. */
  onEvent: (event: 'store-not-writable' | 'store-writable', error?: Error) => void
  onError: (error: unknown) => void
}

const MAX_IMAGE_BYTES = 64 * 1024 * 1024
const MAX_ENTRY_BYTES = 16 * 1024 * 1024

/**
 * Keeps what a local store cannot write in memory, as much as fits, so that a full disk fails no request. It is written to
 * the disk as soon as that works again. API keys are never in memory only: writing one rejects.
 */
export function storeInMemoryWhenFull(store: Store, { clock, onEvent, onError }: MemoryFallbackOptions): Store {
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
  const counts = createUnsavedCounts(store)
  let isWritable = true
  let flushing: Promise<void> | undefined

  function deleteEntriesOf(image: ImageName): void {
    for (const [key, entry] of entries.entries()) if (entry.images.includes(image)) entries.delete(key)
  }

  /** @throws  the error, unless it is one of the disk. */
  function markFailed(error: unknown): void {
    if (!isDiskError(error)) throw error
    if (isWritable) onEvent('store-not-writable', error)
    isWritable = false
  }

  function markWorking(): void {
    if (isWritable) return
    isWritable = true
    onEvent('store-writable')
    flushing = flush().catch(onError)
  }

  async function flush(): Promise<void> {
    for (const [key, entry] of entries.entries()) {
      if (!isWritable) return
      await writeEntry(key, entry)
    }
    if (isWritable) await counts.flush()
  }

  async function writeImage(bytes: Uint8Array, type: string): Promise<ImageName> {
    try {
      const name = await store.writeImage(bytes, type)
      images.delete(name)
      markWorking()
      return name
    } catch (error) {
      markFailed(error)
      const name = await createImageName(bytes, type)
      images.set(name, bytes)
      return name
    }
  }

  async function writeEntry<Body>(key: string, entry: CacheEntry<Body>): Promise<void> {
    try {
      for (const name of entry.images) await moveToDisk(name)
      await store.writeEntry(key, entry)
      entries.delete(key)
      markWorking()
    } catch (error) {
      markFailed(error)
      entries.set(key, entry)
    }
  }

  async function extendEntry(key: string, life: Pick<CacheEntry, 'createdAt' | 'expiresAt'>): Promise<void> {
    const entry = entries.get(key)
    if (entry) return entry.createdAt === life.createdAt ? void entries.set(key, { ...entry, ...life }) : undefined
    try {
      await store.extendEntry(key, life)
    } catch (error) {
      markFailed(error)
    }
  }

  async function moveToDisk(name: ImageName): Promise<void> {
    const bytes = images.get(name)
    if (!bytes) return
    await store.writeImage(bytes, name.split('.')[1]!)
    images.delete(name)
  }

  async function readEntry<Body>(key: string): Promise<CacheEntry<Body> | undefined> {
    const entry = entries.get(key) as CacheEntry<Body> | undefined
    if (entry && entry.expiresAt > clock()) return entry
    return store.readEntry<Body>(key)
  }

  return {
    ...store,
    readEntry,
    writeEntry,
    extendEntry,
    writeImage,
    readImage: async (name) => images.get(name) ?? store.readImage(name),
    async openImage(name) {
      const bytes = images.get(name)
      return bytes ? imageInMemory(bytes) : store.openImage(name)
    },
    async findItems(matches, scope) {
      const found = await store.findItems(matches, scope)
      const unsaved = [...entries.entries()].filter(([, entry]) => matches(entry))
      return {
        ids: [...found.ids, ...unsaved.map(([key]) => digest(key))],
        images: [...found.images, ...unsaved.flatMap(([, entry]) => entry.images)],
      }
    },
    async deleteEntries(ids, scope) {
      const deleted = new Set(ids)
      for (const key of entries.keys()) if (deleted.has(digest(key))) entries.delete(key)
      await store.deleteEntries(ids, scope)
    },
    async deleteImages(names, scope) {
      for (const name of names) {
        images.delete(name)
        deleteEntriesOf(name)
      }
      await store.deleteImages(names, scope)
    },
    async countRequest(client, day, count = 1) {
      try {
        const sum = await store.countRequest(client, day, count)
        markWorking()
        return sum + counts.of(client, day)
      } catch (error) {
        markFailed(error)
        counts.add(client, day, count)
        return (await store.readCount(client, day)) + counts.of(client, day)
      }
    },
    readCount: async (client, day) => (await store.readCount(client, day)) + counts.of(client, day),
    async isWritable() {
      const isDiskWritable = await store.isWritable()
      if (isDiskWritable) markWorking()
      return isDiskWritable
    },
    async close() {
      await flushing
      await store.close()
    },
  }
}

/** Errors of the file system and of lmdb have a code, those of a caller's mistake have none. */
const isDiskError = (error: unknown): error is Error => error instanceof Error && 'code' in error
