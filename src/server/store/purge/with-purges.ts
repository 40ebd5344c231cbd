import { digest } from '../digest.js'
import type { ImageName } from '../image-name.js'
import type { CacheEntry, Store } from '../store.js'
import {
  matchPurge,
  PURGES_PER_READ,
  type FoundItems,
  type Purge,
  type PurgeableItem,
  type PurgeScope,
} from './purge.js'
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

const POLL_INTERVAL_MS = 300
const IMAGES_PER_PURGE = 500

/**
 * Adds purges to a store. A purge is a row of a log that every instance reads a few times a second, and before an entry that it
 * wrote counts as written: an entry that was begun before a purge that concerns it is a miss. The instance that purges deletes
 * what is shared, and then logs the images, of which all delete their copies.
 */
export async function withPurges(store: Store, { onError }: WithPurgesOptions): Promise<PurgeableStore> {
  const tombstones = createTombstones()
  const listeners: ((purges: readonly Purge[]) => void)[] = []
  let last = 0
  let isClosed = false
  let reading = Promise.resolve()
  let applying = Promise.resolve()

  /** Starts after the reads that run, so that it sees everything that was logged before the call. */
  const refresh = () =>
    (reading = reading.then(readNew).catch((error: unknown) => (isClosed ? undefined : onError(error))))

  async function readNew(): Promise<void> {
    const log = await store.readPurges(last)
    if (log.last < last) {
      // The log was lost with the cache, and begins again.
      tombstones.clear()
      last = 0
      return log.last > 0 ? readNew() : undefined
    }
    if (log.purges.length === 0) return
    for (const logged of log.purges) tombstones.add(logged)
    last = log.purges.at(-1)!.sequence
    const purges = log.purges.map(({ purge }) => purge)
    for (const listener of listeners) listener(purges)
    const deleted = purges.flatMap((purge) => ('images' in purge ? [purge.images] : []))
    if (deleted.length) applying = applying.then(() => deleteCopies(deleted.flat())).catch(onError)
    if (log.purges.length === PURGES_PER_READ) await readNew()
  }

  /** The instance that purges is done with it, so what this machine has is not needed to find what is elsewhere. */
  async function deleteCopies(images: ImageName[]): Promise<void> {
    await store.deleteImages(images, { isShared: false })
    await deleteItems((item) => tombstones.isPurged(item), { isShared: false })
  }

  async function deleteItems(matches: (item: PurgeableItem) => boolean, scope: PurgeScope): Promise<FoundItems> {
    const found = await store.findItems(matches, scope)
    await store.deleteImages(found.images, scope)
    // A variant that is converted from now on finds out that its original is gone.
    const isVariant = matchPurge({ images: found.images })
    const variants = found.images.length ? await store.findItems(isVariant, scope) : { ids: [], images: [] }
    await store.deleteImages(variants.images, scope)
    const ids = [...new Set([...found.ids, ...variants.ids])]
    await store.deleteEntries(ids, scope)
    return { ids, images: [...new Set([...found.images, ...variants.images])] }
  }

  async function writeEntry<Body>(key: string, entry: CacheEntry<Body>): Promise<void> {
    await store.writeEntry(key, entry)
    if (entry.lastPurge === undefined) return
    await refresh()
    if (!tombstones.isPurged(entry)) return
    await store.deleteImages(entry.images, { isShared: true })
    await store.deleteEntries([digest(key)], { isShared: true })
  }

  // What was purged while this instance did not run.
  await refresh()
  const pollLater = () => setTimeout(() => void poll(), POLL_INTERVAL_MS).unref()
  let polling = pollLater()
  async function poll(): Promise<void> {
    await refresh()
    if (!isClosed) polling = pollLater()
  }

  return {
    ...store,
    async readEntry<Body>(key: string) {
      const entry = await store.readEntry<Body>(key)
      return entry && tombstones.isPurged(entry) ? undefined : entry
    },
    writeEntry,
    lastPurge: () => last,
    onPurge: (listener) => void listeners.push(listener),
    async purge(purge) {
      await store.addPurge(purge)
      await refresh()
      const { ids, images } = await deleteItems(matchPurge(purge), { isShared: true })
      for (let start = 0; start === 0 || start < images.length; start += IMAGES_PER_PURGE)
        await store.addPurge({ images: images.slice(start, start + IMAGES_PER_PURGE) })
      await refresh()
      return { entries: ids.length, images: images.length }
    },
    async close() {
      isClosed = true
      clearTimeout(polling)
      await reading
      await applying
      await store.close()
    },
  }
}
