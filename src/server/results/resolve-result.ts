import { fields, PageError, type PageQuery, type ParsedQuery } from '../../query/index.js'
import type { Revalidations } from '../jobs/index.js'
import type { CacheEntry } from '../store/index.js'
import type { ExtractionResult } from './extraction-result.js'
import { lifetimeOf } from './lifetime.js'
import { produceEntry, type ProductionContext, type ProductionRequest } from './produce-entry.js'
import { revalidateEntry } from './revalidate-entry.js'

/** Value of `x-cache-status`. */
export type CacheStatus = 'MISS' | 'HIT' | 'STALE' | 'BYPASS'

/** The result for one request: a cache entry, and what this request's own parameters mean for it. */
export interface ResolvedResult {
  entry: CacheEntry<ExtractionResult>
  cacheStatus: CacheStatus
  /** Milliseconds after which the entry is expired for this request. */
  ttlMs: number
  /** Milliseconds after which the entry is stale for this request; `false`: it never is. */
  staleTtlMs: number | false
  /** Sentences that apply to this request only. */
  warnings: string[]
}

/** The dependencies that produce results, and the queue of their revalidations. */
export interface ResultContext extends ProductionContext {
  revalidations: Revalidations
}

export interface ResolveOptions {
  signal: AbortSignal
  /** Called once before an extraction starts on behalf of this client; may throw `ERATE`. */
  consumeQuota: () => Promise<void>
}

/** Revalidation serves all clients, so it consumes the quota of none. */
const withoutQuota = async () => {}

/**
 * Returns the cached result if this query's `ttl` allows it, else extracts the page. A stale result is returned immediately
 * and revalidated in the background.
 *
 * @throws  {PageError} The error of the extraction, or that of a recent one for the same cache key.
 */
export async function resolveResult(
  parsed: ParsedQuery,
  context: ResultContext,
  { signal, consumeQuota }: ResolveOptions,
): Promise<ResolvedResult> {
  const { store, clock, failures } = context
  const { query, cacheKey: key } = parsed
  const requestedAt = clock()
  const cached = query.force ? undefined : await store.readEntry<ExtractionResult>(key)
  if (cached && requestedAt - cached.createdAt < lifetimeOf(cached, ttlOf(query)))
    return resolveCached(cached, { parsed, age: requestedAt - cached.createdAt }, context)

  const failure = query.force ? undefined : failures.get(key)
  if (failure) throw failure
  const minCreatedAt = query.force
    ? requestedAt + 1
    : Math.max(cached ? cached.createdAt + 1 : 0, requestedAt - ttlOf(query))
  const entry = await produceEntry({ parsed, minCreatedAt, signal, consumeQuota }, context)
  return resolvedResult(entry, query, query.force ? 'BYPASS' : 'MISS')
}

function resolveCached(
  cached: CacheEntry<ExtractionResult>,
  { parsed, age }: { parsed: ParsedQuery; age: number },
  context: ResultContext,
): ResolvedResult {
  const { query, cacheKey: key } = parsed
  const { revalidations } = context
  const staleTtlMs = staleTtlOf(query)
  if (staleTtlMs === false || age < staleTtlMs) return resolvedResult(cached, query, 'HIT')
  const request: Omit<ProductionRequest, 'signal'> = {
    parsed,
    minCreatedAt: cached.createdAt + 1,
    consumeQuota: withoutQuota,
  }
  revalidations.schedule(key, (signal) => revalidateEntry(cached, { ...request, signal }, context))
  return { ...resolvedResult(cached, query, 'STALE'), warnings: revalidationWarnings(revalidations, key) }
}

function resolvedResult(
  entry: CacheEntry<ExtractionResult>,
  query: PageQuery,
  cacheStatus: CacheStatus,
): ResolvedResult {
  const ttlMs = lifetimeOf(entry, ttlOf(query))
  const staleTtlMs = staleTtlOf(query)
  return {
    entry,
    cacheStatus,
    ttlMs,
    staleTtlMs: staleTtlMs === false ? false : Math.min(staleTtlMs, ttlMs),
    warnings: [],
  }
}

const ttlOf = ({ ttl }: PageQuery) => Number(ttl ?? fields.ttl.default)

const staleTtlOf = ({ staleTtl }: PageQuery) =>
  staleTtl === undefined || staleTtl === false ? false : Number(staleTtl)

function revalidationWarnings(revalidations: Revalidations, key: string): string[] {
  const failure = revalidations.lastFailure(key)
  if (!failure) return []
  const reason = failure.error instanceof PageError ? failure.error.message : 'internal error'
  const retryAt = new Date(failure.retryAt).toISOString()
  return [`The revalidation failed (${reason}); it is retried after ${retryAt}.`]
}
