import type { CacheEntry, ImageName } from '../../../src/server/store/index.js'

const DAY = 86_400_000

/** An entry of the cache, created at `now`. */
export const createEntry = (
  now: number,
  body: unknown,
  { images = [], ttlMs = DAY }: { images?: ImageName[]; ttlMs?: number } = {},
): CacheEntry => ({ createdAt: now, expiresAt: now + ttlMs, images, body })
