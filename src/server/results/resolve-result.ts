import type { Refund, Work } from '../budget/index.js'
import type { HostList } from '../../query/help/index.js'
import { fields, PageError, type PageQuery, type ParsedQuery } from '../../query/index.js'
import type { Revalidations } from '../jobs/index.js'
import { hostnameOf, hostOfSubject, type CacheEntry } from '../store/index.js'
import type { ExtractionResult } from './extraction-result.js'
import { lifetimeOf, longerExpiry } from './lifetime.js'
import { produceEntry, worseKey, type ProductionContext, type ProductionRequest } from './produce-entry.js'
import { resultKey } from './result-key.js'
import { revalidateEntry } from './revalidate-entry.js'

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
export interface ResultContext extends ProductionContext {
  revalidations: Revalidations
}

export interface ResolveOptions {
  /** Whoever requests it: the id of a key, or a network address. */
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

/** The client of all work in the background, so that the browser takes it in turn with those who wait. */
const REVALIDATIONS = 'revalidations'

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
  const { store, clock, failures, guard } = context
  const { query } = parsed
  const key = resultKey(parsed, allowHosts)
  const requestedAt = clock()
  guard.checkHost(hostnameOf(new URL(query.url)))
  const stored = await store.readEntry<ExtractionResult>(key)
  for (const subject of stored?.subjects ?? []) guard.checkHost(hostOfSubject(subject))
  const found = query.force ? undefined : await findUsable(key, stored, { store, query, requestedAt })
  const cached = found && (await extendLife(key, found, { store, query }))
  if (cached && isUsable(cached, query, requestedAt)) {
    const consumeRevalidation = () => consumeQuota('revalidation')
    const age = requestedAt - cached.createdAt
    const request = { parsed, client, allowHosts, consumeQuota: consumeRevalidation, knownCreatedAt: stored?.createdAt }
    return resolveCached(cached, { ...request, key, age }, context)
  }

  const failure = query.force ? undefined : failures.get(key)
  if (failure) throw failure
  const production = {
    parsed,
    knownCreatedAt: stored?.createdAt,
    client,
    hasPriority,
    signal,
    allowHosts,
    consumeQuota: () => consumeQuota('page'),
    mayReplaceBetter: mayReplaceBetter && query.force === true,
  }
  const entry = await produceEntry(production, context)
  return resolvedResult(entry, { key, query }, query.force ? 'BYPASS' : 'MISS')
}

/** The stored entry, or the worse one that was produced since, when the entry itself is too old for this request. */
async function findUsable(
  key: string,
  stored: CacheEntry<ExtractionResult> | undefined,
  { store, query, requestedAt }: { store: ResultContext['store']; query: PageQuery; requestedAt: number },
): Promise<CacheEntry<ExtractionResult> | undefined> {
  if (!stored || isUsable(stored, query, requestedAt)) return stored
  return (await store.readEntry<ExtractionResult>(worseKey(key))) ?? stored
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

function resolveCached(
  cached: CacheEntry<ExtractionResult>,
  {
    key,
    age,
    client,
    ...request
  }: Omit<ProductionRequest, 'signal' | 'hasPriority' | 'mayReplaceBetter'> & { key: string; age: number },
  context: ResultContext,
): ResolvedResult {
  const { query } = request.parsed
  const { revalidations } = context
  const staleTtlMs = staleTtlOf(query)
  if (staleTtlMs === false || age < staleTtlMs) return resolvedResult(cached, { key, query }, 'HIT')
  revalidations.schedule(key, client, (signal) =>
    revalidateEntry(cached, { ...request, client: REVALIDATIONS, signal }, context),
  )
  return { ...resolvedResult(cached, { key, query }, 'STALE'), warnings: revalidationWarnings(revalidations, key) }
}

function resolvedResult(
  entry: CacheEntry<ExtractionResult>,
  { key, query }: { key: string; query: PageQuery },
  cacheStatus: CacheStatus,
): ResolvedResult {
  const ttlMs = lifetimeOf(entry, ttlOf(query))
  const staleTtlMs = staleTtlOf(query)
  return {
    key,
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
