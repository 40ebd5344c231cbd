import type { ImageName } from '../image-name.js'
import type { CacheEntry, Store } from '../store.js'
import type { DiskState } from './disk-state.js'
import type { UnsavedResults } from './unsaved-results.js'

interface FallbackEntriesOptions {
  unsaved: UnsavedResults
  disk: DiskState
  saveImage: (name: ImageName, owner: string | undefined) => Promise<void>
  /** Milliseconds since 1970. */
  clock: () => number
}

interface FallbackEntries extends Pick<Store, 'readEntry' | 'writeEntry' | 'extendEntry'> {
  /** Writes the entries that are in memory only, until writing fails again. */
  saveEntries: () => Promise<void>
}

/** Entries that stay in memory where the disk cannot be written. */
export function createFallbackEntries(
  store: Store,
  { unsaved: { entries }, disk, saveImage, clock }: FallbackEntriesOptions,
): FallbackEntries {
  async function writeEntry<Body>(key: string, entry: CacheEntry<Body>): Promise<void> {
    try {
      for (const name of entry.images) await saveImage(name, entry.owner)
      await store.writeEntry(key, entry)
      entries.delete(key)
      disk.markWorking()
    } catch (error) {
      disk.markFailed(error)
      entries.set(key, entry)
    }
  }

  async function extendEntry(key: string, life: Pick<CacheEntry, 'createdAt' | 'expiresAt'>): Promise<void> {
    const entry = entries.get(key)
    if (entry) return entry.createdAt === life.createdAt ? void entries.set(key, { ...entry, ...life }) : undefined
    try {
      await store.extendEntry(key, life)
    } catch (error) {
      disk.markFailed(error)
    }
  }

  return {
    writeEntry,
    extendEntry,
    async readEntry<Body>(key: string) {
      const entry = entries.get(key) as CacheEntry<Body> | undefined
      return entry && entry.expiresAt > clock() ? entry : store.readEntry<Body>(key)
    },
    async saveEntries() {
      for (const [key, entry] of entries.entries()) {
        if (!disk.isWritable()) return
        await writeEntry(key, entry)
      }
    },
  }
}
