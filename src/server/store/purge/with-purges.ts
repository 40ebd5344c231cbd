import { digest } from '../digest.js'
import type { ImageName } from '../image-name.js'
import type { CacheEntry, Store } from '../store.js'
import { deleteItems } from './delete-items.js'
import { followPurges } from './follow-purges.js'
import { matchPurge, type Purge } from './purge.js'
import { createTombstones } from './tombstones.js'

/** A store whose results can be purged from all instances that share it. */
export interface PurgeableStore extends Store {
  /** Number of the last purge that is known here; it has to be read before the work for an entry begins. */
  lastPurge(): number
  /**
   * Deletes what shows a page or a host; instances on the same store follow within a second.
   *
   * @returns  How many entries and images this instance and the remote stores had.
   * @throws   {PageError} `EBUSY` while a remote store is unreachable; the purge has to be repeated then.
   */
  purge(purge: Purge): Promise<{ entries: number; images: number }>
  /** Called with purges, also of another instance, that were logged since the store was opened. */
  onPurge(listener: (purges: readonly Purge[]) => void): void
}

export interface WithPurgesOptions {
  /** Receives errors of background work. */
  onError: (error: unknown) => void
}

const IMAGES_PER_PURGE = 500

/**
 * Adds purges to a store. Every instance reads the log of purges a few times a second, and again after it has written an entry.
 * An entry whose work began before a purge of its page or host counts as missing. The instance that purges deletes what is
 * shared, and then logs the names of the images; every instance deletes its own copies of them.
 */
export async function withPurges(store: Store, { onError }: WithPurgesOptions): Promise<PurgeableStore> {
  const tombstones = createTombstones()
  const listeners: ((purges: readonly Purge[]) => void)[] = []
  let deleting = Promise.resolve()
  const log = await followPurges(store, { tombstones, onPurges: applyPurges, onError })

  function applyPurges(purges: readonly Purge[]): void {
    for (const listener of listeners) listener(purges)
    const deleted = purges.flatMap((purge) => ('images' in purge ? [purge.images] : []))
    if (deleted.length) deleting = deleting.then(() => deleteCopies(deleted.flat())).catch(onError)
  }

  /** The shared copies have been deleted by then, so the entries of this machine are not needed to find them. */
  async function deleteCopies(images: ImageName[]): Promise<void> {
    await store.deleteImages(images, { isShared: false })
    await deleteItems(store, (item) => tombstones.isPurged(item), { isShared: false })
  }

  return {
    ...store,
    async readEntry<Body>(key: string) {
      const entry = await store.readEntry<Body>(key)
      return entry && tombstones.isPurged(entry) ? undefined : entry
    },
    async writeEntry<Body>(key: string, entry: CacheEntry<Body>) {
      await store.writeEntry(key, entry)
      if (entry.lastPurge === undefined) return
      await log.refresh()
      if (!tombstones.isPurged(entry)) return
      await store.deleteImages(entry.images, { isShared: true })
      await store.deleteEntries([digest(key)], { isShared: true })
    },
    lastPurge: () => log.last(),
    onPurge: (listener) => void listeners.push(listener),
    async purge(purge) {
      await store.addPurge(purge)
      await log.refresh()
      const { ids, images } = await deleteItems(store, matchPurge(purge), { isShared: true })
      for (let start = 0; start === 0 || start < images.length; start += IMAGES_PER_PURGE)
        await store.addPurge({ images: images.slice(start, start + IMAGES_PER_PURGE) })
      await log.refresh()
      return { entries: ids.length, images: images.length }
    },
    async close() {
      await log.close()
      await deleting
      await store.close()
    },
  }
}
