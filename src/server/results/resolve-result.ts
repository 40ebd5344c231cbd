import type { EventEmitter } from 'node:events'
import { isPageError, type PageQuery } from '../../query/index.js'
import { BACKGROUND, type Waiters } from '../budget/index.js'
import { hostnameOf } from '../hostnames.js'
import {
  readFailure,
  runOrTakeOver,
  wasNotStarted,
  writeFailure,
  type Revalidations,
  type SingleFlight,
} from '../jobs/index.js'
import type { Histories } from '../history/index.js'
import type { Guard } from '../network/index.js'
import type { RemovedPages } from '../owners/index.js'
import { isShortened, revalidationScope, type RequestScope } from '../request-scope.js'
import {
  hostOfSubject,
  isFromFuture,
  subjectOfUrl,
  type EntryStore,
  type ImageName,
  type Store,
} from '../store/index.js'
import { describeState } from '../page-state/index.js'
import { addToHistory } from './add-to-history.js'
import type { Extraction, Extractor } from './extract-page.js'
import { decideResult, forcesReplacement, whyNotReplace, type ProducedEntry } from './decide-result.js'
import { rejectedKey, resultKey, type ExtractionResult, type ResultEntry } from './extraction-result.js'
import { attemptsOf, expiryBesides, lifetimeOf, longerExpiry, ttlOf } from './result-lifetime.js'

/** What happens to the results of this instance; `store.purges.onPurge` has the purges. */
export interface ResultEvents {
  /** A result was stored under a key; `createdAt` is milliseconds since 1970. */
  replaced: [key: string, createdAt: number]
}

/** What produces and stores the results of a service. */
export interface ResultParts {
  guard: Guard
  extractor: Extractor
  store: Store
  histories: Histories
  /** The results that are being produced, by their keys. */
  flights: SingleFlight<ProducedEntry>
  revalidations: Revalidations
  removedPages: RemovedPages
  /** The owner of what is stored because of a client; see `createOwnerHash`. */
  ownerOf: (client: string) => string
  events: EventEmitter<ResultEvents>
  /** Milliseconds since 1970. */
  clock: () => number
}

/** Value of `x-cache-status`. */
export type CacheStatus = 'MISS' | 'HIT' | 'STALE' | 'BYPASS'

/** The result for one request: a cache entry, and what this request's own parameters mean for it. */
export interface ResolvedResult {
  /** The key of the entry. */
  key: string
  entry: ResultEntry
  cacheStatus: CacheStatus
  /** Milliseconds after which the entry is expired for this request. */
  ttlMs: number
  /** Milliseconds after which the entry is stale for this request; `false`: it never is. */
  staleTtlMs: number | false
  /** Sentences that apply to this request only. */
  warnings: string[]
}

/**
 * Returns the cached result if this query's `ttl` allows it, else extracts the page. A stale result is returned immediately
 * and revalidated in the background.
 *
 * @throws  {PageError} The error of the extraction, or of a recent one for the same cache key; `EREMOVED` for a page that its owner
 *          has removed.
 */
export async function resolveResult(scope: RequestScope, parts: ResultParts): Promise<ResolvedResult> {
  const { store, clock, guard, removedPages } = parts
  const { query } = scope
  const key = resultKey(scope)
  const requestedAt = clock()
  guard.checkHost(hostnameOf(new URL(query.url)))
  const [current] = await Promise.all([
    store.entries.readEntry<ExtractionResult>(key),
    removedPages.assertShown(query.url, scope),
  ])
  for (const subject of current?.subjects ?? []) guard.checkHost(hostOfSubject(subject))
  const result = current && !query.force ? await resolveCached(key, current, scope, parts, requestedAt) : undefined
  if (result) return result

  const failure = query.force ? undefined : await readFailure(key, store.entries, requestedAt)
  if (failure) throw failure
  const produced = await produceEntry(key, scope, parts, current?.createdAt)
  if (query.force) return toResolvedResult(key, produced, query, 'BYPASS')
  return (current && keepCurrent(key, current, produced, query)) ?? toResolvedResult(key, produced, query, 'MISS')
}

/**
 * The result from the cache, if this request may use it, or a result that was produced since and may not replace it.
 *
 * @param current  The entry of the key.
 */
async function resolveCached(
  key: string,
  current: ResultEntry,
  scope: RequestScope,
  parts: ResultParts,
  requestedAt: number,
): Promise<ResolvedResult | undefined> {
  const { store } = parts
  const { query } = scope
  const isUsable = (entry: ResultEntry) =>
    !isFromFuture(entry, requestedAt) && requestedAt - entry.createdAt < lifetimeOf(entry, ttlOf(query))
  const isStale = ({ body, createdAt }: ResultEntry) => {
    const staleTtlMs = staleTtlOf(query, body)
    return staleTtlMs !== false && requestedAt - createdAt >= staleTtlMs
  }
  current = await extendLife(key, current, longerExpiry(current, ttlOf(query)), store.entries)
  if (isUsable(current) && !isStale(current)) return toResolvedResult(key, current, query, 'HIT')
  const rejected = await readRejectedEntry(key, current, store.entries)
  const kept = rejected && isUsable(rejected) ? keepCurrent(key, current, rejected, query) : undefined
  if (kept) return kept
  const usable = [current, rejected].find((entry) => entry && isUsable(entry))
  if (!usable) return undefined
  if (!isStale(usable)) return toResolvedResult(key, usable, query, 'HIT')
  forgetOutdatedFailure(key, current, parts.revalidations)
  scheduleRevalidation(key, { usable, current }, scope, parts)
  const result = toResolvedResult(key, usable, query, 'STALE')
  return { ...result, warnings: revalidationWarnings(parts.revalidations, key) }
}

/** @param expiresAt  When the entry has to expire instead, milliseconds since 1970; `undefined`: it stays as it is. */
async function extendLife(
  key: string,
  entry: ResultEntry,
  expiresAt: number | undefined,
  entries: EntryStore,
): Promise<ResultEntry> {
  if (expiresAt === undefined) return entry
  await entries.extendEntry(key, { ...entry, expiresAt })
  return { ...entry, expiresAt }
}

/** The result that was produced after the current one and may not replace it, if any. */
async function readRejectedEntry(
  key: string,
  current: ResultEntry,
  entries: Pick<EntryStore, 'readEntry'>,
): Promise<ResultEntry | undefined> {
  const rejected = await entries.readEntry<ExtractionResult>(rejectedKey(key))
  return rejected && rejected.createdAt > current.createdAt ? rejected : undefined
}

/**
 * The current result, if the page did not show its content when the produced one was made; `undefined` if the current one is no
 * better.
 */
function keepCurrent(
  key: string,
  current: ResultEntry,
  produced: ResultEntry,
  query: PageQuery,
): ResolvedResult | undefined {
  const retryDelayMs = lifetimeOf(produced, ttlOf(query))
  const warning = stateWarning(produced.body, { retryAt: produced.createdAt + retryDelayMs, isCurrentKept: true })
  if (!warning || !whyNotReplace(produced.body, current.body)) return undefined
  const result = toResolvedResult(key, current, query, 'STALE')
  return {
    ...result,
    // Caches on the way must not store it for its whole `ttl`, which may have passed.
    staleTtlMs: Math.min(retryDelayMs, result.staleTtlMs === false ? result.ttlMs : result.staleTtlMs),
    warnings: [warning],
  }
}

function toResolvedResult(key: string, entry: ResultEntry, query: PageQuery, cacheStatus: CacheStatus): ResolvedResult {
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

/** `false`, too, for a page that did not show its content: it is not opened again before its delay is over. */
const staleTtlOf = ({ staleTtl }: PageQuery, { data }: ExtractionResult) =>
  staleTtl === undefined || staleTtl === false || data.state ? false : Number(staleTtl)

/**
 * The warning of a response about a page that did not show its content.
 *
 * @param retryAt  When the page may be opened again, milliseconds since 1970.
 * @param isCurrentKept  Whether the current result, which is earlier, is served instead.
 * @returns        `undefined` for a page that showed its content.
 */
function stateWarning(
  { data: { state }, screenshot }: ExtractionResult,
  { retryAt, isCurrentKept = false }: { retryAt: number; isCurrentKept?: boolean },
): string | undefined {
  if (!state) return undefined
  const lost = screenshot === null ? 'there is no screenshot of it' : 'its metadata could not be read'
  const consequence = isCurrentKept ? 'the earlier result is served' : lost
  const retry = `the page will be opened again after ${new Date(retryAt).toISOString()}`
  return `The page ${isCurrentKept ? 'now ' : ''}${describeState(state)}, so ${consequence}; ${retry}.`
}

/** A result that was produced after a revalidation had failed, by another request or instance, is not what that failure was about. */
function forgetOutdatedFailure(key: string, current: ResultEntry, revalidations: Revalidations): void {
  const failure = revalidations.lastFailure(key)
  if (failure && current.createdAt >= failure.failedAt) revalidations.forgetFailure(key)
}

function revalidationWarnings(revalidations: Revalidations, key: string): string[] {
  const failure = revalidations.lastFailure(key)
  if (!failure) return []
  const reason = isPageError(failure.error) ? failure.error.message : 'internal error'
  const retryAt = new Date(failure.retryAt).toISOString()
  return [`The revalidation failed (${reason}); it is retried after ${retryAt}.`]
}

/**
 * Replaces a stale entry with a new extraction in the background, unless the new result may not replace it: a good result is never
 * replaced by the error page of a site that is down.
 */
function scheduleRevalidation(
  key: string,
  { usable, current }: { usable: ResultEntry; current: ResultEntry },
  scope: RequestScope,
  parts: ResultParts,
): void {
  parts.revalidations.schedule(key, scope.client, async (signal) => {
    const ownScope = revalidationScope(scope, { owner: usable.owner, signal })
    const produced = await produceEntry(key, ownScope, parts, current.createdAt)
    // Thrown only here: requests that share the new result get it, and it is no failure of the page.
    const reason = whyNotReplace(produced.body, usable.body)
    if (reason) throw reason
  })
}

/**
 * Extracts a page and stores the result; concurrent calls for one key, also of other instances, share one extraction. What
 * a request with a shorter `timeout` than the default runs into is shared only with the same `timeout`: neither its failure
 * nor a result that was cut short is cached.
 *
 * @param knownCreatedAt  `createdAt` of the entry that the request found under its key, if any. An entry with another time was
 *   written since then, by another request or instance, and is used instead of a new extraction. Which of the times is later is
 *   not compared, because the clocks of instances differ.
 * @throws  {PageError} The error of the extraction, or of the quota.
 */
export async function produceEntry(
  key: string,
  scope: RequestScope,
  parts: ResultParts,
  knownCreatedAt: number | undefined,
): Promise<ResultEntry> {
  const { query, client, hasPriority, signal } = scope
  const flightKey = isShortened(query) ? `${key} timeout=${query.timeout}` : key
  for (;;) {
    let hasStarted = false
    const produceExclusively = (flight: AbortSignal, waiters: Waiters) => {
      hasStarted = true
      const produce = () => extractAndStore(key, { ...scope, signal: flight, waiters }, parts, knownCreatedAt)
      return parts.store.locks.withLock(key, produce, { signal: flight })
    }
    const waiter = { client, hasPriority }
    const { entry, isRejected } = await runOrTakeOver(parts.flights, flightKey, produceExclusively, { signal, waiter })
    // The request that started the extraction may not have been allowed to replace the better result, as this one is.
    if (hasStarted || !isRejected || !forcesReplacement(entry.body, scope)) return entry
  }
}

async function extractAndStore(
  key: string,
  scope: RequestScope,
  parts: ResultParts,
  knownCreatedAt: number | undefined,
): Promise<ProducedEntry> {
  const { query, client, owner, signal } = scope
  const { store } = parts
  // Another request or instance may have stored an entry between the first lookup in the cache and the lock.
  const current = await store.entries.readEntry<ExtractionResult>(key)
  if (current && current.createdAt !== knownCreatedAt) return { entry: current, isRejected: false }
  // A request for a page without a result has found no failure before; revalidations have delays of their own.
  const failure =
    query.force || client === BACKGROUND ? undefined : await readFailure(key, store.entries, parts.clock())
  if (failure) throw failure
  const refund = await scope.consumeQuota('page')
  const lastPurge = store.purges.lastPurge()
  const startedAt = performance.now()
  try {
    const extraction = await parts.extractor.extract(scope)
    await parts.removedPages.assertNoneRemoved(extraction.subjects)
    const stored = await storeImage(extraction, scope, store)
    const counted = await countAttempts(stored.result, key, current, store.entries)
    const { action, lifetimeMs } = decideResult(counted, scope, current)
    const { subjects, allowances } = extraction
    const createdAt = nextCreatedAt(current, parts.clock())
    const marks = { subjects, allowances, owner, lastPurge }
    const added = { key, extraction, result: counted, createdAt, startedAt, marks }
    const result =
      query.history === undefined ? counted : await addToHistory(added, { isKept: action === 'store' }, scope, parts)
    const entry = { createdAt, expiresAt: createdAt + lifetimeMs, images: stored.images, subjects, body: result }
    const isRejected = action === 'reject'
    if (action === 'serve-once') return { entry, isRejected }
    await store.entries.writeEntry(isRejected ? rejectedKey(key) : key, { ...entry, owner, allowances, lastPurge })
    if (isRejected && current) await extendLife(key, current, expiryBesides(entry, current), store.entries)
    else parts.events.emit('replaced', key, entry.createdAt)
    return { entry, isRejected }
  } catch (error) {
    if (isPageError(error) && !signal.aborted) {
      if (wasNotStarted(error)) await refund()
      // Whatever the failure is, a request with more time may not have it: a late element is missing, a slow host unreachable.
      else if (!isShortened(query))
        await writeFailure(
          key,
          error,
          { subjects: [subjectOfUrl(query.url)], owner, lastPurge },
          { ...store, clock: parts.clock },
        )
    }
    throw error
  }
}

/** Stores the screenshot of a result, if it has one. */
async function storeImage(
  { result: { screenshot, ...result }, image }: Extraction,
  { query, owner }: RequestScope,
  { images }: Store,
): Promise<{ result: ExtractionResult; images: ImageName[] }> {
  if (!screenshot) return { result: screenshot === null ? { ...result, screenshot } : result, images: [] }
  const name = await images.writeImage(image!, screenshot.type, owner, ttlOf(query))
  return { result: { ...result, screenshot: { image: name, ...screenshot } }, images: [name] }
}

/** Adds how many times in a row the page is read again for the same reason, if it is. */
async function countAttempts(
  result: ExtractionResult,
  key: string,
  current: ResultEntry | undefined,
  entries: EntryStore,
): Promise<ExtractionResult> {
  // Most results have no attempts, whatever was before.
  if (attemptsOf(result, undefined) === undefined) return result
  const previous = current && ((await readRejectedEntry(key, current, entries)) ?? current)
  return { ...result, attempts: attemptsOf(result, previous?.body) }
}

/** Clients recognise a new result by its newer time, also when the instance that made the previous one has a clock ahead. */
function nextCreatedAt(current: ResultEntry | undefined, now: number): number {
  if (!current || isFromFuture(current, now)) return now
  return Math.max(now, current.createdAt + 1)
}
