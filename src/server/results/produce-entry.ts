import { fields, isPageError, type PageError, type PageQuery } from '../../query/index.js'
import type { Turns } from '../budget/index.js'
import { FAILURE_TTL_MS, runOrTakeOver } from '../jobs/index.js'
import type { RequestScope } from '../request-scope.js'
import type { CacheEntry, Store } from '../store/index.js'
import { extractPage, type Extraction } from './extract-page.js'
import { rejectedKey, resultKey, storedLifetime, whyNotReplace, type ExtractionResult } from './extraction-result.js'
import type { ServiceParts } from './service-parts.js'

/** What the request found in the cache, which the new entry replaces. */
export interface Replacement {
  /**
   * `createdAt` of the entry that the request found under its key, if any. An entry with another time was written since then, by
   * another request or instance, and is used instead of a new extraction. Which of the times is later is not compared, because
   * the clocks of instances differ.
   */
  knownCreatedAt: number | undefined
  /** Throws when a result must not replace the cached one. Default: each may. */
  assertMayReplace?: (result: ExtractionResult) => void
}

/** A clock further ahead is wrong, and its timestamps are replaced. */
const MAX_CLOCK_DIFFERENCE_MS = 3_600_000
/** The life of an entry that only the requests which wait for it get. */
const NOT_STORED_MS = 0

/**
 * Extracts a page and stores the result; concurrent calls for one key, also of other instances, share one extraction. What
 * a request with a shorter `timeout` than the default runs into is shared only with the same `timeout`: neither its failure
 * nor a result that was cut short is cached.
 *
 * @throws  {PageError} The error of the extraction, of the quota, or of `assertMayReplace`.
 */
export async function produceEntry(
  scope: RequestScope,
  parts: ServiceParts,
  { knownCreatedAt, assertMayReplace = () => undefined }: Replacement,
): Promise<CacheEntry<ExtractionResult>> {
  const { query, client, hasPriority, signal } = scope
  const key = resultKey(scope)
  const flightKey = isShortened(query) ? `${key} timeout=${query.timeout}` : key
  const produceExclusively = (flight: AbortSignal, turns: Turns) => {
    const shared = { ...scope, signal: flight, turns }
    const produce = () => extractAndStore(key, shared, parts, { knownCreatedAt, assertMayReplace })
    return parts.store.withLock(key, produce, { signal: flight })
  }
  const entry = await runOrTakeOver(parts.flights, flightKey, produceExclusively, {
    signal,
    turn: { client, hasPriority },
  })
  // Checked again: a caller that has joined running work may have a stricter rule than the one that started it.
  assertMayReplace(entry.body)
  return entry
}

/**
 * The result that was produced after an entry and may not replace it, if any.
 *
 * @param stored  The entry of the key.
 */
export async function readRejectedEntry(
  key: string,
  stored: CacheEntry,
  store: Pick<Store, 'readEntry'>,
): Promise<CacheEntry<ExtractionResult> | undefined> {
  const rejected = await store.readEntry<ExtractionResult>(rejectedKey(key))
  return rejected && rejected.createdAt > stored.createdAt ? rejected : undefined
}

async function extractAndStore(
  key: string,
  scope: RequestScope,
  parts: ServiceParts,
  { knownCreatedAt, assertMayReplace }: Required<Replacement>,
): Promise<CacheEntry<ExtractionResult>> {
  const { query, owner, signal } = scope
  const { failures, guard, store } = parts
  // Another request or instance may have stored an entry between the first lookup in the cache and the lock.
  const existing = await store.readEntry<ExtractionResult>(key)
  if (existing && existing.createdAt !== knownCreatedAt) return existing
  const refund = await scope.consumeQuota('page')
  const lastPurge = store.lastPurge()
  try {
    const startedAt = performance.now()
    const extraction = await extractPage(scope, parts)
    const { state } = extraction.result.data
    // A result without content is stored before it is rejected, because its delay applies to other requests too.
    if (!state) assertMayReplace(extraction.result)
    const createdAt = nextCreatedAt(existing, parts.clock())
    if (wasCutShortByCaller(extraction.result, query)) return entryOf(extraction, createdAt, NOT_STORED_MS)
    const result = state ? await countTimesWithoutContent(extraction.result, key, existing, store) : extraction.result
    const mayReplaceBetter = scope.mayReplaceBetter && query.force === true && !state
    const isRejected = existing && !mayReplaceBetter && whyNotReplace(result, existing.body) !== undefined
    const longestMs = isRejected ? FAILURE_TTL_MS.rejected : longestTtl(query, existing)
    const entry = entryOf({ ...extraction, result }, createdAt, storedLifetime(result, longestMs))
    const allowances = guard.allowancesSince(startedAt)
    await store.writeEntry(isRejected ? rejectedKey(key) : key, { ...entry, owner, allowances, lastPurge })
    if (!isRejected) parts.onReplaced?.(key, entry.createdAt)
    return entry
  } catch (error) {
    if (isPageError(error) && !signal.aborted) {
      if (wasNotStarted(error)) await refund()
      // Whatever the failure is, a request with more time may not have it: a late element is missing, a slow host unreachable.
      else if (!isShortened(query) && store.lastPurge() === lastPurge) failures.set(key, error)
    }
    throw error
  }
}

/** Adds how many times in a row the page did not show its content. */
async function countTimesWithoutContent(
  result: ExtractionResult,
  key: string,
  existing: CacheEntry<ExtractionResult> | undefined,
  store: Store,
): Promise<ExtractionResult> {
  const previous = existing && !existing.body.data.state ? await readRejectedEntry(key, existing, store) : existing
  return { ...result, timesWithoutContent: (previous?.body.timesWithoutContent ?? 0) + 1 }
}

const entryOf = (
  { result, images, subjects }: Extraction,
  createdAt: number,
  ttlMs: number,
): CacheEntry<ExtractionResult> => ({ createdAt, expiresAt: createdAt + ttlMs, images, subjects, body: result })

/**
 * Work that was not started is refunded. A page that was opened counts even if it timed out, because it occupied the browser;
 * the cause of such an `EBRWSRTIMEOUT` is a `PageError`.
 */
const wasNotStarted = ({ code, cause }: PageError) =>
  code === 'EBUSY' || (code === 'EBRWSRTIMEOUT' && !isPageError(cause))

/** Clients recognise a new result by its newer time, also when the instance that made the previous one has a clock ahead. */
function nextCreatedAt(existing: CacheEntry | undefined, now: number): number {
  if (!existing || existing.createdAt - now > MAX_CLOCK_DIFFERENCE_MS) return now
  return Math.max(now, existing.createdAt + 1)
}

/** The longest `ttl` of any request for the key so far, because each request applies its own to the same entry. */
const longestTtl = ({ ttl }: PageQuery, existing: CacheEntry | undefined) =>
  Math.max(fields.ttl.default, Number(ttl ?? 0), existing ? existing.expiresAt - existing.createdAt : 0)

const isShortened = ({ timeout }: PageQuery) => timeout !== undefined && Number(timeout) < fields.timeout.default

/** Whether a request with the default timeout would have had a better result. */
const wasCutShortByCaller = ({ isCutShort, isProvisional }: ExtractionResult, query: PageQuery) =>
  isShortened(query) && Boolean(isCutShort || isProvisional)
