import type { Refund } from '../budget/index.js'
import type { HostList } from '../../query/help/index.js'
import { fields, isPageError, type PageError, type PageQuery, type ParsedQuery } from '../../query/index.js'
import { FAILURE_TTL_MS, runWithQuota, type NegativeCache, type SingleFlight } from '../jobs/index.js'
import type { CacheEntry } from '../store/index.js'
import { extractPage, type Extraction, type ExtractionContext } from './extract-page.js'
import type { ExtractionResult } from './extraction-result.js'
import { storedLifetime } from './lifetime.js'
import { resultKey } from './result-key.js'
import { whyNotReplace } from './why-not-replace.js'
import { readRejectedEntry, rejectedKey } from './rejected-entry.js'

/** The dependencies of an entry's extraction, and what prevents a second one for the same key. */
export interface EntryContext extends ExtractionContext {
  flights: SingleFlight<CacheEntry<ExtractionResult>>
  failures: NegativeCache
  clock: () => number
  /** Called when a result was stored under a key, with its `createdAt`. */
  onReplaced?: (key: string, createdAt: number) => void
}

export interface EntryRequest {
  parsed: ParsedQuery
  /**
   * `createdAt` of the entry that the request found under its key, if any. An entry with another time was written since then, by
   * another request or instance, and is used instead of a new extraction. Which of the times is later is not compared, because
   * the clocks of instances differ.
   */
  knownCreatedAt: number | undefined
  /** The client that starts the extraction. */
  client: string
  /** The owner of what is stored; `undefined` only where the result that is replaced has none. */
  owner: string | undefined
  /** Whether the browser opens the page before those without priority. Default: false. */
  hasPriority?: boolean
  signal: AbortSignal
  /** The hosts that the request is restricted to. Default: none. */
  allowHosts?: HostList | undefined
  /** Called before the extraction starts; may throw `ERATE`. */
  consumeQuota: () => Promise<Refund>
  /** Whether the result is stored even where the cached one is better. Default: false. */
  mayReplaceBetter?: boolean
}

/** Throws when a result must not replace the cached one. */
export type AssertReplaceable = (result: ExtractionResult) => void

/** A clock further ahead is wrong, and its timestamps are replaced. */
const MAX_CLOCK_DIFFERENCE_MS = 3_600_000

/**
 * Extracts a page and stores the result; concurrent calls for one key, also of other instances, share one extraction. What
 * a request with a shorter `timeout` than the default runs into is shared only with the same `timeout`: neither its failure
 * nor a result that was cut short is cached.
 *
 * @throws  {PageError} The error of the extraction, of the quota, or of `assertReplaceable`.
 */
export async function produceEntry(
  request: EntryRequest,
  context: EntryContext,
  assertReplaceable: AssertReplaceable = () => undefined,
): Promise<CacheEntry<ExtractionResult>> {
  const { parsed, signal } = request
  const key = resultKey(parsed, request.allowHosts)
  const produceExclusively = (flightSignal: AbortSignal) =>
    context.store.withLock(
      key,
      () => extractAndStore({ ...request, signal: flightSignal }, context, assertReplaceable),
      {
        signal: flightSignal,
      },
    )
  const flightKey = isShortened(parsed.query) ? `${key} timeout=${parsed.query.timeout}` : key
  const entry = await runWithQuota(context.flights, flightKey, produceExclusively, { signal })
  // Again, because a caller that has joined the flight of another one has a rule of its own.
  assertReplaceable(entry.body)
  return entry
}

async function extractAndStore(
  request: EntryRequest,
  context: EntryContext,
  assertReplaceable: AssertReplaceable,
): Promise<CacheEntry<ExtractionResult>> {
  const { parsed, knownCreatedAt, client, owner, hasPriority = false, signal, allowHosts, mayReplaceBetter } = request
  const { failures, guard, store } = context
  const { query } = parsed.withoutApiKey()
  const key = resultKey(parsed, allowHosts)
  // Another request or instance may have stored an entry between the first lookup in the cache and the lock.
  const existing = await store.readEntry<ExtractionResult>(key)
  if (existing && existing.createdAt !== knownCreatedAt) return existing
  const refund = await request.consumeQuota()
  const lastPurge = store.lastPurge()
  try {
    const startedAt = performance.now()
    const extraction = await extractPage(query, context, { client, owner, hasPriority, signal, allowHosts })
    const { state } = extraction.result.data
    // A result without content is stored before it is rejected, because its delay applies to other requests too.
    if (!state) assertReplaceable(extraction.result)
    if (wasCutShortByCaller(extraction.result, query)) return entryOf({ ...extraction, ttlMs: 0, existing }, context)
    const result = state
      ? await countTimesWithoutContent(extraction.result, { key, existing }, store)
      : extraction.result
    const isRejected = existing && (state || !mayReplaceBetter) && whyNotReplace(result, existing.body) !== undefined
    const longestMs = isRejected ? FAILURE_TTL_MS.rejected : longestTtl(query, existing)
    const entry = entryOf({ ...extraction, result, ttlMs: storedLifetime(result, longestMs), existing }, context)
    const allowances = guard.allowancesSince(startedAt)
    await store.writeEntry(isRejected ? rejectedKey(key) : key, { ...entry, owner, allowances, lastPurge })
    if (!isRejected) context.onReplaced?.(key, entry.createdAt)
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
  { key, existing }: { key: string; existing: CacheEntry<ExtractionResult> | undefined },
  store: EntryContext['store'],
): Promise<ExtractionResult> {
  const previous = existing && !existing.body.data.state ? await readRejectedEntry(key, existing, store) : existing
  return { ...result, timesWithoutContent: (previous?.body.timesWithoutContent ?? 0) + 1 }
}

function entryOf(
  { result, images, subjects, ttlMs, existing }: Extraction & { ttlMs: number; existing: CacheEntry | undefined },
  { clock }: EntryContext,
): CacheEntry<ExtractionResult> {
  const createdAt = nextCreatedAt(existing, clock())
  return { createdAt, expiresAt: createdAt + ttlMs, images, subjects, body: result }
}

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
