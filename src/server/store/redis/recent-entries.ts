import { LRUCache } from 'lru-cache'
import type { ImageName } from '../image-name.js'

/** A cache entry in the encoding in which Redis stores it. */
export interface PackedEntry {
  packed: Buffer
  images: readonly ImageName[]
}

const MAX_BYTES = 32 * 1024 * 1024
/** Memory that an entry takes in addition to its bytes. */
const ENTRY_OVERHEAD_BYTES = 512

/** An in-memory copy of the entries that this instance read or wrote last, used while Redis is unreachable. */
export function createRecentEntries() {
  const entries = new LRUCache<string, PackedEntry>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_BYTES / 8,
    sizeCalculation: ({ packed }) => packed.length + ENTRY_OVERHEAD_BYTES,
  })
  return {
    get: (id: string): Buffer | undefined => entries.get(id)?.packed,
    set: (id: string, entry: PackedEntry): void => void entries.set(id, entry),
    delete: (id: string): void => void entries.delete(id),
    deleteEntriesOf(image: ImageName): void {
      for (const [id, { images }] of entries.entries()) if (images.includes(image)) entries.delete(id)
    },
  }
}
