import type { CacheEntry, Store } from '../store/index.js'
import type { ExtractionResult } from './extraction-result.js'

/** The key of a result that may not replace the entry of `key`; see `whyNotReplace`. */
export const rejectedKey = (key: string): string => `rejected ${key}`

/**
 * The result that was produced after an entry and may not replace it, if any.
 *
 * @param stored  The entry of the key.
 */
export async function readRejectedEntry(
  key: string,
  stored: CacheEntry,
  store: Pick<Store, 'readEntry'>,
): Promise<CacheEntry<ExtractionResult> | undefined> {
  const rejected = await store.readEntry<ExtractionResult>(rejectedKey(key))
  return rejected && rejected.createdAt > stored.createdAt ? rejected : undefined
}
