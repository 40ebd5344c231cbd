import type { PreviewCache } from './cache/open-preview-cache.js'
import type { Lock, LockEntry } from './lock/lock-entry.js'
import { imageNames } from './preview-images.js'

/** What is known of a preview before it is captured. */
export interface KnownPreview {
  entry: LockEntry | undefined
  /** Files of its images that are not in the cache. */
  missing: ReadonlySet<string>
}

interface Sources {
  lock: Lock
  cache: PreviewCache
  /** Whether only the lock file counts. */
  lockOnly: boolean
  isExpired: (entry: LockEntry) => boolean
}

/** Looks a preview up in the lock file, and in the cache where the lock file has no current one. */
export async function findKnownPreview(
  key: string,
  { lock, cache, lockOnly, isExpired }: Sources,
): Promise<KnownPreview> {
  const locked = lock.get(key)
  const isDue = !locked?.preview || isExpired(locked)
  // A run that was killed may have finished previews that are not in the lock file.
  const cached = isDue && !lockOnly ? await cache.readPreview(key) : undefined
  const entry = newest(locked, cached)
  const names = imageNames(entry?.preview)
  const found = await Promise.all(names.map((name) => cache.readImage(name)))
  return { entry, missing: new Set(names.filter((_, index) => !found[index])) }
}

function newest(locked: LockEntry | undefined, cached: LockEntry | undefined): LockEntry | undefined {
  const dateOf = (entry: LockEntry | undefined) => entry?.preview?.date ?? ''
  return cached && dateOf(cached) > dateOf(locked) ? cached : locked
}
