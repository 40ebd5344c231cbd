import type { ImageName } from '../image-name.js'
import type { PurgeableItem, PurgeScope } from '../purge/purge.js'
import type { CacheEntry, Store } from '../store.js'
import type { RedisEntries } from './redis-entries.js'
import type { RedisPurges } from './redis-purges.js'
import type { UploadLeases } from './redis-upload-leases.js'

interface SharedResultsOptions {
  /** Stores the images. */
  images: Store
  entries: RedisEntries
  purges: RedisPurges
  leases: UploadLeases
}

/** What concerns both the entries in Redis and the images, which another store has. */
export function createSharedResults({ images, entries, purges, leases }: SharedResultsOptions) {
  async function forgetLostImage(name: ImageName): Promise<void> {
    await leases.assertNotPending(name)
    await entries.deleteEntriesOf(name)
  }

  return {
    async writeEntry(key: string, entry: CacheEntry) {
      // The store of the images needs an entry too: it retains the images, or rejects because one is missing.
      if (entry.images.length) await images.writeEntry(key, { ...entry, body: null })
      await leases.announce(entry.images)
      await entries.write(key, entry)
    },
    async extendEntry(key: string, life: Pick<CacheEntry, 'createdAt' | 'expiresAt'>) {
      await images.extendEntry(key, life)
      await entries.extend(key, life)
    },
    async readImage(name: ImageName) {
      const bytes = await images.readImage(name)
      if (!bytes) await forgetLostImage(name)
      return bytes
    },
    async openImage(name: ImageName) {
      const image = await images.openImage(name)
      if (!image) await forgetLostImage(name)
      return image
    },
    async findItems(matches: (item: PurgeableItem) => boolean, scope: PurgeScope) {
      const here = await images.findItems(matches, scope)
      if (!scope.isShared) return here
      const shared = await purges.findShared(matches)
      return { ids: [...here.ids, ...shared.ids], images: [...new Set([...here.images, ...shared.images])] }
    },
    async deleteEntries(ids: readonly string[], scope: PurgeScope) {
      await images.deleteEntries(ids, scope)
      if (scope.isShared) await entries.deleteEntries(ids)
    },
    async deleteImages(names: readonly ImageName[], scope: PurgeScope) {
      await images.deleteImages(names, scope)
      if (scope.isShared) for (const name of names) await entries.deleteEntriesOf(name)
    },
  }
}
