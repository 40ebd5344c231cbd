import type { CacheEntry, Store } from '../store/index.js'
import type { ExtractionResult } from './extraction-result.js'

/** The key of a result that is worse than the entry of `key`, which stays. */
export const worseKey = (key: string): string => `worse ${key}`

/**
 * The worse result that was produced after an entry, if any.
 *
 * @param stored  The entry of the key.
 */
export async function readWorseEntry(
  key: string,
  stored: CacheEntry,
  store: Pick<Store, 'readEntry'>,
): Promise<CacheEntry<ExtractionResult> | undefined> {
  const worse = await store.readEntry<ExtractionResult>(worseKey(key))
  return worse && worse.createdAt > stored.createdAt ? worse : undefined
}
