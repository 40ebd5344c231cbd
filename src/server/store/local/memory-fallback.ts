import { imageInMemory } from '../image-in-memory.js'
import { createImageName, type ImageName } from '../image-name.js'
import type { CacheEntry, Store } from '../store.js'
import { createUnsavedCounts } from './unsaved-counts.js'
import { UnsavedResults } from './unsaved-results.js'

export interface MemoryFallbackOptions {
  /** Milliseconds since 1970. */
  clock: () => number
  /** Called once when writing fails, and once when it works again. */
  onEvent: (event: 'store-not-writable' | 'store-writable', error?: Error) => void
  onError: (error: unknown) => void
}

/**
 * Keeps what a local store cannot write in memory, as much as fits, so that a full disk fails no request. It is written to
 * the disk as soon as that works again. API keys are never in memory only: writing one rejects.
 */
export function storeInMemoryWhenFull(store: Store, { clock, onEvent, onError }: MemoryFallbackOptions): Store {
  const results = new UnsavedResults()
  const { entries, images } = results
  const counts = createUnsavedCounts(store)
  let isWritable = true
  let flushing: Promise<void> | undefined

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

  async function countRequest(client: string, day: string, count = 1): Promise<number> {
    try {
      const sum = await store.countRequest(client, day, count)
      markWorking()
      return sum + counts.of(client, day)
    } catch (error) {
      markFailed(error)
      counts.add(client, day, count)
      return (await store.readCount(client, day)) + counts.of(client, day)
    }
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
      const saved = await store.findItems(matches, scope)
      const unsaved = results.find(matches)
      return { ids: [...saved.ids, ...unsaved.ids], images: [...saved.images, ...unsaved.images] }
    },
    async deleteEntries(ids, scope) {
      results.deleteEntries(ids)
      await store.deleteEntries(ids, scope)
    },
    async deleteImages(names, scope) {
      results.deleteImages(names)
      await store.deleteImages(names, scope)
    },
    countRequest,
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
