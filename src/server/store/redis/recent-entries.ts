import { LRUCache } from 'lru-cache'
import type { ImageName } from '../store.js'

/** An answer as it lies in Redis. */
export interface PackedAnswer {
  packed: Buffer
  images: readonly ImageName[]
}

/** The answers that this instance wrote or read lately: they go on being given while Redis is out of reach. */
export type RecentEntries = ReturnType<typeof createRecentEntries>

const MAX_BYTES = 32 * 1024 * 1024
/** What an entry takes beside its bytes. */
const ENTRY_BYTES = 512

export function createRecentEntries() {
  const answers = new LRUCache<string, PackedAnswer>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_BYTES / 8,
    sizeCalculation: ({ packed }) => packed.length + ENTRY_BYTES,
  })
  return {
    get: (id: string): Buffer | undefined => answers.get(id)?.packed,
    set: (id: string, answer: PackedAnswer): void => void answers.set(id, answer),
    delete: (id: string): void => void answers.delete(id),
    forgetImage(name: ImageName): void {
      for (const [id, { images }] of answers.entries()) if (images.includes(name)) answers.delete(id)
    },
  }
}
