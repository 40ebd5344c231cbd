import { FAILURE_TTL_MS } from '../jobs/index.js'
import type { CacheEntry } from '../store/index.js'
import type { ExtractionResult } from './extraction-result.js'

/**
 * Milliseconds for which an entry may be served: the requested `ttl`, but less for a page that responded with 404, for one
 * that could not be prerendered and for an entry that expires earlier, because each may soon have a better result.
 */
export function lifetimeOf(entry: CacheEntry<ExtractionResult>, requestedTtlMs: number): number {
  const { body, createdAt, expiresAt } = entry
  const ttlMs = Math.min(requestedTtlMs, expiresAt - createdAt)
  if (body.isProvisional) return Math.min(ttlMs, FAILURE_TTL_MS.default)
  return body.statusCode === 404 ? Math.min(ttlMs, FAILURE_TTL_MS.notFound) : ttlMs
}
