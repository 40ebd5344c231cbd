import { BACKGROUND, type Refund, type Work } from '../budget/index.js'
import type { HostList } from '../../query/help/index.js'
import { fields, PageError, type PageQuery, type ParsedQuery } from '../../query/index.js'
import { hostnameOf } from '../hostnames/index.js'
import type { Revalidations } from '../jobs/index.js'
import { hostOfSubject, type CacheEntry } from '../store/index.js'
import type { ExtractionResult } from './extraction-result.js'
import { lifetimeOf, longerExpiry } from './lifetime.js'
import { produceEntry, type EntryContext, type EntryRequest } from './produce-entry.js'
import { resultKey } from './result-key.js'
import { revalidateEntry } from './revalidate-entry.js'
import { stateWarning } from './state-warning.js'
import { whyNotReplace } from './why-not-replace.js'
import { readRejectedEntry } from './rejected-entry.js'

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

/** The dependencies that produce results, and the queue of their revalidations. */
export interface ResultContext extends EntryContext {
  revalidations: Revalidations
  /** The owner of what is stored because of a client; see `createOwnerHash`. */
  ownerOf: (client: string) => string
}

export interface ResolveOptions {
  /** The id of the API key of the request, or a network address. */
  client: string
  /** Whether the browser opens the page before those without priority. Default: false. */
  hasPriority?: boolean
  signal: AbortSignal
  /** Called before work starts on behalf of this client, also in the background; may throw `ERATE`. */
  consumeQuota: (work: Work) => Promise<Refund>
  /** Whether `force` may replace a better result, such as a page by its error page. Default: false. */
  mayReplaceBetter?: boolean
  /** The hosts that the request is restricted to. Default: none. */
  allowHosts?: HostList | undefined
}

interface CachedRequest extends Omit<EntryRequest, 'signal' | 'owner' | 'hasPriority' | 'mayReplaceBetter'> {
  key: string
  /** Milliseconds since 1970. */
  requestedAt: number
}

/**
 * Returns the cached result if this query's `ttl` allows it, else extracts the page. A stale result is returned immediately
 * and revalidated in the background.
 *
 * @throws  {PageError} The error of the extraction, or that of a recent one for the same cache key.
 */
export async function resolveResult(
  parsed: ParsedQuery,
  context: ResultContext,
  { client, hasPriority = false, signal, consumeQuota, mayReplaceBetter = false, allowHosts }: ResolveOptions,
): Promise<ResolvedResult> {
  const { store, clock, failures, guard, ownerOf } = context
  const { query } = parsed
  const key = resultKey(parsed, allowHosts)
  const requestedAt = clock()
  guard.checkHost(hostnameOf(new URL(query.url)))
  const stored = await store.readEntry<ExtractionResult>(key)
  for (const subject of stored?.subjects ?? []) guard.checkHost(hostOfSubject(subject))
  if (stored && !query.force) {
    const consumeRevalidation = () => consumeQuota('revalidation')
    const request = { parsed, client, allowHosts, consumeQuota: consumeRevalidation, knownCreatedAt: stored.createdAt }
    const cached = await resolveCached(stored, { ...request, key, requestedAt }, context)
    if (cached) return cached
  }

  const failure = query.force ? undefined : failures.get(key)
  if (failure) throw failure
  const production = {
    parsed,
    knownCreatedAt: stored?.createdAt,
    client,
    owner: ownerOf(client),
    hasPriority,
    signal,
    allowHosts,
    consumeQuota: () => consumeQuota('page'),
    mayReplaceBetter: mayReplaceBetter && query.force === true,
  }
  const entry = await produceEntry(production, context)
  if (query.force) return resolvedResult(entry, { key, query }, 'BYPASS')
  return (stored && earlierResult(stored, entry, { key, query })) ?? resolvedResult(entry, { key, query }, 'MISS')
}

/** Lets the entry live as long as this request may use it. */
async function extendLife(
  key: string,
  entry: CacheEntry<ExtractionResult>,
  { store, query }: { store: ResultContext['store']; query: PageQuery },
): Promise<CacheEntry<ExtractionResult>> {
  const expiresAt = longerExpiry(entry, ttlOf(query))
  if (expiresAt === undefined) return entry
  await store.extendEntry(key, { createdAt: entry.createdAt, expiresAt })
  return { ...entry, expiresAt }
}

const isUsable = (entry: CacheEntry<ExtractionResult>, query: PageQuery, requestedAt: number) =>
  requestedAt - entry.createdAt < lifetimeOf(entry, ttlOf(query))

/** The result from the cache, where this request may use it, or one that was produced since and may not replace it. */
async function resolveCached(
  stored: CacheEntry<ExtractionResult>,
  request: CachedRequest,
  context: ResultContext,
): Promise<ResolvedResult | undefined> {
  const { key, parsed, requestedAt } = request
  const { store } = context
  const { query } = parsed
  const found = await extendLife(key, stored, { store, query })
  if (isUsable(found, query, requestedAt) && !isStale(found, query, requestedAt))
    return resolvedResult(found, { key, query }, 'HIT')
  const rejected = await readRejectedEntry(key, stored, store)
  const earlier =
    rejected && isUsable(rejected, query, requestedAt) ? earlierResult(found, rejected, { key, query }) : undefined
  if (earlier) return earlier
  const usable = [found, rejected].find((entry) => entry && isUsable(entry, query, requestedAt))
  if (!usable) return undefined
  return isStale(usable, query, requestedAt)
    ? revalidate(usable, request, context)
    : resolvedResult(usable, { key, query }, 'HIT')
}

function revalidate(
  stale: CacheEntry<ExtractionResult>,
  { key, client, ...request }: CachedRequest,
  context: ResultContext,
): ResolvedResult {
  const { query } = request.parsed
  const { revalidations } = context
  revalidations.schedule(key, client, (signal) =>
    revalidateEntry(stale, { ...request, client: BACKGROUND, signal }, context),
  )
  return { ...resolvedResult(stale, { key, query }, 'STALE'), warnings: revalidationWarnings(revalidations, key) }
}

/** The earlier result, where the page did not show its content since; `undefined` where it has no better one. */
function earlierResult(
  stored: CacheEntry<ExtractionResult>,
  rejected: CacheEntry<ExtractionResult>,
  { key, query }: { key: string; query: PageQuery },
): ResolvedResult | undefined {
  const retryDelayMs = lifetimeOf(rejected, ttlOf(query))
  const warning = stateWarning(rejected.body, { retryAt: rejected.createdAt + retryDelayMs, isEarlierServed: true })
  if (!warning || !whyNotReplace(rejected.body, stored.body)) return undefined
  const result = resolvedResult(stored, { key, query }, 'STALE')
  return {
    ...result,
    // Caches on the way must not store it for its whole `ttl`, which may have passed.
    staleTtlMs: Math.min(retryDelayMs, result.staleTtlMs === false ? result.ttlMs : result.staleTtlMs),
    warnings: [warning],
  }
}

function resolvedResult(
  entry: CacheEntry<ExtractionResult>,
  { key, query }: { key: string; query: PageQuery },
  cacheStatus: CacheStatus,
): ResolvedResult {
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

function isStale({ body, createdAt }: CacheEntry<ExtractionResult>, query: PageQuery, requestedAt: number): boolean {
  const staleTtlMs = staleTtlOf(query, body)
  return staleTtlMs !== false && requestedAt - createdAt >= staleTtlMs
}

function revalidationWarnings(revalidations: Revalidations, key: string): string[] {
  const failure = revalidations.lastFailure(key)
  if (!failure) return []
  const reason = failure.error instanceof PageError ? failure.error.message : 'internal error'
  const retryAt = new Date(failure.retryAt).toISOString()
  return [`The revalidation failed (${reason}); it is retried after ${retryAt}.`]
}
