import { LRUCache } from 'lru-cache'
import { digest } from '../digest.js'
import { encodeEntry } from '../entry-codec.js'
import type { ImageName } from '../image-name.js'
import type { FoundItems, PurgeableItem } from '../purge/purge.js'
import type { CacheEntry } from '../store.js'

const MAX_IMAGE_BYTES = 64 * 1024 * 1024
const MAX_ENTRY_BYTES = 16 * 1024 * 1024

/** Entries and images that could not be written to the disk, as much as fits; an entry goes with the first of its images. */
export class UnsavedResults {
  readonly entries = new LRUCache<string, CacheEntry>({
    maxSize: MAX_ENTRY_BYTES,
    sizeCalculation: (entry, key) => encodeEntry(entry).length + key.length,
  })
  readonly images = new LRUCache<ImageName, Uint8Array>({
    maxSize: MAX_IMAGE_BYTES,
    sizeCalculation: (bytes) => bytes.byteLength + 1,
    disposeAfter: (_, image, reason) => {
      if (reason === 'evict') this.#deleteEntriesOf(image)
    },
  })

  find(matches: (item: PurgeableItem) => boolean): FoundItems {
    const found = [...this.entries.entries()].filter(([, entry]) => matches(entry))
    return { ids: found.map(([key]) => digest(key)), images: found.flatMap(([, entry]) => entry.images) }
  }

  /** @param ids  As `find` returns them. */
  deleteEntries(ids: readonly string[]): void {
    const deleted = new Set(ids)
    for (const key of this.entries.keys()) if (deleted.has(digest(key))) this.entries.delete(key)
  }

  deleteImages(names: readonly ImageName[]): void {
    for (const name of names) {
      this.images.delete(name)
      this.#deleteEntriesOf(name)
    }
  }

  #deleteEntriesOf(image: ImageName): void {
    for (const [key, entry] of this.entries.entries()) if (entry.images.includes(image)) this.entries.delete(key)
  }
}
