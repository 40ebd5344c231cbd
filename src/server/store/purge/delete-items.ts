import type { Store } from '../store.js'
import { matchPurge, type FoundItems, type PurgeableItem, type PurgeScope } from './purge.js'

/**
 * Deletes images and entries with the variants of the images.
 *
 * @returns  What was deleted.
 */
export async function deleteItems(
  store: Store,
  matches: (item: PurgeableItem) => boolean,
  scope: PurgeScope,
): Promise<FoundItems> {
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
