import { fields, PageError, type PageQuery } from '../../query/index.js'
import { hostnameOf } from '../hostnames.js'
import type { Revalidations } from '../jobs/index.js'
import { revalidationScope, type RequestScope } from '../request-scope.js'
import { hostOfSubject, type CacheEntry } from '../store/index.js'
import { lifetimeOf, longerExpiry, resultKey, whyNotReplace, type ExtractionResult } from './extraction-result.js'
import { describeState } from './page-states.js'
import { produceEntry, readRejectedEntry } from './produce-entry.js'
import type { ServiceParts } from './service-parts.js'

/** Value of `x-cache-status`. */
export type CacheStatus = 'MISS' | 'HIT' | 'STALE' | 'BYPASS'

/** The result for one request: a cache entry, and what this request's own parameters mean for it. */
export interface ResolvedResult {
  /** The key of the entry. */
  key: string
  entry: CacheEntry<ExtractionResult>
  cacheStatus: CacheStatus
  /** Milliseconds after which the entry is expired for this request. */
  ttlMs: number
  /** Milliseconds after which the entry is stale for this request; `false`: it never is. */
  staleTtlMs: number | false
  /** Sentences that apply to this request only. */
  warnings: string[]
}

type Entry = CacheEntry<ExtractionResult>

/**
 * Returns the cached result if this query's `ttl` allows it, else extracts the page. A stale result is returned immediately
 * and revalidated in the background.
 *
 * @throws  {PageError} The error of the extraction, or that of a recent one for the same cache key.
 */
export async function resolveResult(scope: RequestScope, parts: ServiceParts): Promise<ResolvedResult> {
  const { store, clock, failures, guard } = parts
  const { query } = scope
  const key = resultKey(scope)
  const requestedAt = clock()
  guard.checkHost(hostnameOf(new URL(query.url)))
  const stored = await store.readEntry<ExtractionResult>(key)
  for (const subject of stored?.subjects ?? []) guard.checkHost(hostOfSubject(subject))
  const cached = stored && !query.force ? await resolveCached(key, stored, scope, parts, requestedAt) : undefined
  if (cached) return cached

  const failure = query.force ? undefined : failures.get(key)
  if (failure) throw failure
  const entry = await produceEntry(scope, parts, { knownCreatedAt: stored?.createdAt })
  if (query.force) return resolvedResult(key, entry, query, 'BYPASS')
  return (stored && keepEarlier(key, stored, entry, query)) ?? resolvedResult(key, entry, query, 'MISS')
}

/** The result from the cache, if this request may use it, or one that was produced since and may not replace it. */
async function resolveCached(
  key: string,
  stored: Entry,
  scope: RequestScope,
  parts: ServiceParts,
  requestedAt: number,
): Promise<ResolvedResult | undefined> {
  const { store } = parts
  const { query } = scope
  const isUsable = (entry: Entry) => requestedAt - entry.createdAt < lifetimeOf(entry, ttlOf(query))
  const isStale = ({ body, createdAt }: Entry) => {
    const staleTtlMs = staleTtlOf(query, body)
    return staleTtlMs !== false && requestedAt - createdAt >= staleTtlMs
  }
  const found = await extendLife(key, stored, query, store)
  if (isUsable(found) && !isStale(found)) return resolvedResult(key, found, query, 'HIT')
  const rejected = await readRejectedEntry(key, stored, store)
  const earlier = rejected && isUsable(rejected) ? keepEarlier(key, found, rejected, query) : undefined
  if (earlier) return earlier
  const usable = [found, rejected].find((entry) => entry && isUsable(entry))
  if (!usable) return undefined
  if (!isStale(usable)) return resolvedResult(key, usable, query, 'HIT')
  scheduleRevalidation(key, { stale: usable, knownCreatedAt: stored.createdAt }, scope, parts)
  const result = resolvedResult(key, usable, query, 'STALE')
  return { ...result, warnings: revalidationWarnings(parts.revalidations, key) }
}

/** Lets the entry live as long as this request may use it. */
async function extendLife(key: string, entry: Entry, query: PageQuery, store: ServiceParts['store']): Promise<Entry> {
  const expiresAt = longerExpiry(entry, ttlOf(query))
  if (expiresAt === undefined) return entry
  await store.extendEntry(key, { createdAt: entry.createdAt, expiresAt })
  return { ...entry, expiresAt }
}

/**
 * Replaces a stale entry with a new extraction in the background, unless the new result may not replace it: a good result is never
 * replaced by the error page of a site that is down.
 */
function scheduleRevalidation(
  key: string,
  { stale, knownCreatedAt }: { stale: Entry; knownCreatedAt: number },
  scope: RequestScope,
  parts: ServiceParts,
): void {
  const assertMayReplace = (result: ExtractionResult) => {
    const reason = whyNotReplace(result, stale.body)
    if (reason) throw reason
  }
  parts.revalidations.schedule(key, scope.client, async (signal) => {
    const background = revalidationScope(scope, { owner: stale.owner, signal })
    await produceEntry(background, parts, { knownCreatedAt, assertMayReplace })
  })
}

/** The earlier result, if the page did not show its content when the newer one was produced; `undefined` if the earlier one is no better. */
function keepEarlier(key: string, earlier: Entry, newer: Entry, query: PageQuery): ResolvedResult | undefined {
  const retryDelayMs = lifetimeOf(newer, ttlOf(query))
  const warning = stateWarning(newer.body, { retryAt: newer.createdAt + retryDelayMs, isEarlierServed: true })
  if (!warning || !whyNotReplace(newer.body, earlier.body)) return undefined
  const result = resolvedResult(key, earlier, query, 'STALE')
  return {
    ...result,
    // Caches on the way must not store it for its whole `ttl`, which may have passed.
    staleTtlMs: Math.min(retryDelayMs, result.staleTtlMs === false ? result.ttlMs : result.staleTtlMs),
    warnings: [warning],
  }
}

function resolvedResult(key: string, entry: Entry, query: PageQuery, cacheStatus: CacheStatus): ResolvedResult {
  const ttlMs = lifetimeOf(entry, ttlOf(query))
  const staleTtlMs = staleTtlOf(query, entry.body)
  const warning = stateWarning(entry.body, { retryAt: entry.createdAt + ttlMs })
  return {
    key,
    entry,
    cacheStatus,
    ttlMs,
    staleTtlMs: staleTtlMs === false ? false : Math.min(staleTtlMs, ttlMs),
    warnings: warning ? [warning] : [],
  }
}

const ttlOf = ({ ttl }: PageQuery) => Number(ttl ?? fields.ttl.default)

/** `false`, too, for a page that did not show its content: it is not opened again before its delay is over. */
const staleTtlOf = ({ staleTtl }: PageQuery, { data }: ExtractionResult) =>
  staleTtl === undefined || staleTtl === false || data.state ? false : Number(staleTtl)

/**
 * The warning of a response about a page that did not show its content.
 *
 * @param retryAt  When the page may be opened again, milliseconds since 1970.
 * @param isEarlierServed  Whether an earlier result is served instead.
 * @returns        `undefined` for a page that showed its content.
 */
function stateWarning(
  { data: { state }, screenshot }: ExtractionResult,
  { retryAt, isEarlierServed = false }: { retryAt: number; isEarlierServed?: boolean },
): string | undefined {
  if (!state) return undefined
  const lost = screenshot === null ? 'there is no screenshot of it' : 'its metadata could not be read'
  const consequence = isEarlierServed ? 'the earlier result is served' : lost
  const retry = `it is opened again after ${new Date(retryAt).toISOString()}`
  return `The page ${isEarlierServed ? 'now ' : ''}${describeState(state)}, so ${consequence}; ${retry}.`
}

function revalidationWarnings(revalidations: Revalidations, key: string): string[] {
  const failure = revalidations.lastFailure(key)
  if (!failure) return []
  const reason = failure.error instanceof PageError ? failure.error.message : 'internal error'
  const retryAt = new Date(failure.retryAt).toISOString()
  return [`The revalidation failed (${reason}); it is retried after ${retryAt}.`]
}
