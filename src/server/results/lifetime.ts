import { fields } from '../../query/index.js'
import { FAILURE_TTL_MS } from '../jobs/index.js'
import type { CacheEntry } from '../store/index.js'
import type { ExtractionResult } from './extraction-result.js'

/**
 * Milliseconds for which an entry may be served: the requested `ttl`, but less for a page that responded with 404, for one
 * that could not be prerendered and for an entry that expires earlier, because each may soon have a better result.
 */
export function lifetimeOf(entry: CacheEntry<ExtractionResult>, requestedTtlMs: number): number {
  const { body, createdAt, expiresAt } = entry
  return longestLifetime(body, Math.min(requestedTtlMs, expiresAt - createdAt))
}

/** Milliseconds for which a result may be served at most. */
export function longestLifetime(result: ExtractionResult, ttlMs: number): number {
  if (result.isProvisional) return Math.min(ttlMs, FAILURE_TTL_MS.default)
  return result.statusCode === 404 ? Math.min(ttlMs, FAILURE_TTL_MS.notFound) : ttlMs
}

/**
 * When an entry has to expire so that the request can use it for its whole `ttl`, milliseconds since 1970; `undefined` when it
 * expires late enough. An entry with less than the default life has a result that may soon be replaced by a better one.
 */
export function longerExpiry(entry: CacheEntry<ExtractionResult>, requestedTtlMs: number): number | undefined {
  const lifeMs = entry.expiresAt - entry.createdAt
  return lifeMs < requestedTtlMs && lifeMs >= fields.ttl.default ? entry.createdAt + requestedTtlMs : undefined
}
