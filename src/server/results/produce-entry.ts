import { fields, isPageError, type PageError, type PageQuery, type ParsedQuery } from '../../query/index.js'
import { runWithQuota, type NegativeCache, type SingleFlight } from '../jobs/index.js'
import type { CacheEntry } from '../store/index.js'
import { extractPage, type ExtractionContext } from './extract-page.js'
import type { ExtractionResult } from './extraction-result.js'

/** The dependencies of an extraction, and what prevents a second one for the same key. */
export interface ProductionContext extends ExtractionContext {
  flights: SingleFlight<CacheEntry<ExtractionResult>>
  failures: NegativeCache
  clock: () => number
}

export interface ProductionRequest {
  parsed: ParsedQuery
  /**
   * Milliseconds since 1970: an entry created since then, by another flight or instance, is used instead of a new extraction.
   * Derived from the previous entry where there is one, because the clock of another instance may be slightly behind.
   */
  minCreatedAt: number
  signal: AbortSignal
  /** Called before the extraction starts; may throw `ERATE`. */
  consumeQuota: () => Promise<void>
}

/** Throws when a result must not replace the cached one. */
export type ResultCheck = (result: ExtractionResult) => void

/** Each request applies its own `ttl`, so entries are stored for the longest possible one. */
const ENTRY_TTL_MS = fields.ttl.max

/**
 * Extracts a page and stores the result; concurrent calls for one key, also of other instances, share one extraction.
 *
 * @throws  {PageError} The error of the extraction, of the quota, or of `check`.
 */
export async function produceEntry(
  request: ProductionRequest,
  context: ProductionContext,
  check: ResultCheck = () => undefined,
): Promise<CacheEntry<ExtractionResult>> {
  const { parsed, signal } = request
  const key = parsed.cacheKey
  const produceExclusively = (flight: AbortSignal) =>
    context.store.withLock(key, () => extractAndStore({ ...request, signal: flight }, context, check), {
      signal: flight,
    })
  return runWithQuota(context.flights, key, produceExclusively, { signal })
}

async function extractAndStore(
  { parsed, minCreatedAt, signal, consumeQuota }: ProductionRequest,
  context: ProductionContext,
  check: ResultCheck,
): Promise<CacheEntry<ExtractionResult>> {
  const { failures, store, clock } = context
  const { query, cacheKey: key } = parsed.withoutApiKey()
  // Another flight or instance may have stored an entry between the first lookup in the cache and the lock.
  const existing = await store.readEntry<ExtractionResult>(key)
  if (existing && existing.createdAt >= minCreatedAt) return existing
  await consumeQuota()
  try {
    const { result, images } = await extractPage(query, context, { signal })
    check(result)
    const createdAt = clock()
    const entry = { createdAt, expiresAt: createdAt + ENTRY_TTL_MS, images, body: result }
    await store.writeEntry(key, entry)
    return entry
  } catch (error) {
    if (isPageError(error) && !signal.aborted && appliesToAllRequests(error, query)) failures.set(key, error)
    throw error
  }
}

/** A timeout that one request shortened must not fail requests with the default one. */
const appliesToAllRequests = ({ code }: PageError, { timeout }: PageQuery) =>
  timeout === undefined || (code !== 'ETIMEOUT' && code !== 'EBRWSRTIMEOUT')
