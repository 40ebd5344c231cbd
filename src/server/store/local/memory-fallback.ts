import type { Store } from '../store.js'
import { createDiskState } from './disk-state.js'
import { createFallbackEntries } from './fallback-entries.js'
import { createFallbackImages } from './fallback-images.js'
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
  let saving: Promise<void> | undefined
  const disk = createDiskState({
    onFailed: (error) => onEvent('store-not-writable', error),
    onWorking() {
      onEvent('store-writable')
      saving = save().catch(onError)
    },
  })
  const unsaved = new UnsavedResults()
  const { saveImage, ...images } = createFallbackImages(store, unsaved, disk)
  const { saveEntries, ...entries } = createFallbackEntries(store, { unsaved, disk, saveImage, clock })
  const counts = createUnsavedCounts(store)

  async function save(): Promise<void> {
    await saveEntries()
    if (disk.isWritable()) await counts.flush()
  }

  async function countRequest(client: string, day: string, count = 1): Promise<number> {
    try {
      const sum = await store.countRequest(client, day, count)
      disk.markWorking()
      return sum + counts.of(client, day)
    } catch (error) {
      disk.markFailed(error)
      counts.add(client, day, count)
      return (await store.readCount(client, day)) + counts.of(client, day)
    }
  }

  return {
    ...store,
    ...images,
    ...entries,
    countRequest,
    readCount: async (client, day) => (await store.readCount(client, day)) + counts.of(client, day),
    async findItems(matches, scope) {
      const saved = await store.findItems(matches, scope)
      const { ids, images } = unsaved.find(matches)
      return { ids: [...saved.ids, ...ids], images: [...saved.images, ...images] }
    },
    async deleteEntries(ids, scope) {
      unsaved.deleteEntries(ids)
      await store.deleteEntries(ids, scope)
    },
    async deleteImages(names, scope) {
      unsaved.deleteImages(names)
      await store.deleteImages(names, scope)
    },
    async isWritable() {
      const isDiskWritable = await store.isWritable()
      if (isDiskWritable) disk.markWorking()
      return isDiskWritable
    },
    async close() {
      await saving
      await store.close()
    },
  }
}
