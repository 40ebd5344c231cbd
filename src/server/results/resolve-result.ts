import { cacheKey, fields, isPageError, PageError, type PageQuery } from '../../query/index.js'
import {
  FAILURE_TTL_MS,
  runWithQuota,
  type FailureMemory,
  type Revalidations,
  type SingleFlight,
} from '../jobs/index.js'
import { extractPage, type ExtractionContext } from './extract-page.js'
import type { ExtractionResult } from './extraction-result.js'
import type { CacheEntry } from '../store/index.js'

export type CacheStatus = 'MISS' | 'HIT' | 'STALE' | 'BYPASS'

/** An answer on its way out. */
export interface ResolvedResult {
  key: string
  kept: CacheEntry<ExtractionResult>
  status: CacheStatus
  /** Milliseconds: how long this request lets an answer live, and from which age on it calls it stale. */
  ttlMs: number
  staleTtlMs: number | false
  /** Sentences that hold for this request alone. */
  warnings: string[]
}

/** Where answers come from, and what is remembered of them. */
export interface ResultContext extends ExtractionContext {
  flights: SingleFlight<CacheEntry<ExtractionResult>>
  revalidations: Revalidations
  failures: FailureMemory
  clock: () => number
}

const DEFAULT_TTL_MS = fields.ttl.default
/** Every request applies its own ttl to what is kept, so it is kept for the longest. */
const KEEP_MS = fields.ttl.max

/** Revalidations happen for everybody. */
const NO_QUOTA = async () => {}

/**
 * Gives the kept answer when it is young enough for this query, else makes one; a stale one is renewed in the background.
 *
 * @param charge  Called before anything is made because of this client, so once however many ask; may refuse by throwing.
 * @throws        {PageError} whatever making it says, also when that was said a short while ago.
 */
export async function resolveResult(
  query: PageQuery,
  context: ResultContext,
  { signal, consumeQuota }: { signal: AbortSignal; consumeQuota: () => Promise<void> },
): Promise<ResolvedResult> {
  const { store, clock, revalidations, failures } = context
  const key = cacheKey(query)
  const ttlMs = Number(query.ttl ?? DEFAULT_TTL_MS)
  const staleTtlMs = query.staleTtl === undefined || query.staleTtl === false ? false : Number(query.staleTtl)
  const given = (kept: CacheEntry<ExtractionResult>, status: CacheStatus, warnings: string[] = []): ResolvedResult => {
    const lifeMs = lifeOf(kept, ttlMs)
    const freshMs = staleTtlMs !== false && Math.min(staleTtlMs, lifeMs)
    return { key, kept, status, ttlMs: lifeMs, staleTtlMs: freshMs, warnings }
  }

  const askedAt = clock()
  const kept = query.force ? undefined : await store.readEntry<ExtractionResult>(key)
  const age = kept ? askedAt - kept.createdAt : Infinity
  if (kept && age < lifeOf(kept, ttlMs)) {
    if (staleTtlMs === false || age < staleTtlMs) return given(kept, 'HIT')
    revalidations.renew(key, (renewal) =>
      renew(kept, { key, query, fitFrom: kept.createdAt + 1, signal: renewal, consumeQuota: NO_QUOTA }, context),
    )
    return given(kept, 'STALE', renewalWarnings(revalidations, key))
  }

  const earlier = query.force ? undefined : failures.recall(key)
  if (earlier) throw earlier
  const fitFrom = query.force ? askedAt + 1 : Math.max(kept ? kept.createdAt + 1 : 0, askedAt - ttlMs)
  return given(await make({ key, query, fitFrom, signal, consumeQuota }, context), query.force ? 'BYPASS' : 'MISS')
}

interface Order {
  key: string
  query: PageQuery
  /**
   * An answer that was made since then will do. Told by the answers themselves where it can be: the clock of another instance
   * may be a little behind.
   */
  fitFrom: number
  signal: AbortSignal
  consumeQuota: () => Promise<void>
}

async function make(
  order: Order,
  context: ResultContext,
  isFit: (answer: ExtractionResult) => void = () => undefined,
): Promise<CacheEntry<ExtractionResult>> {
  const { key, signal } = order
  const makeAlone = (flight: AbortSignal) =>
    context.store.exclusively(key, () => makeOnce({ ...order, signal: flight }, context, isFit), { signal: flight })
  return runWithQuota(context.flights, key, makeAlone, { signal })
}

async function makeOnce(
  { key, query, fitFrom, signal, consumeQuota }: Order,
  context: ResultContext,
  isFit: (answer: ExtractionResult) => void,
): Promise<CacheEntry<ExtractionResult>> {
  const { failures, store, clock } = context
  // Whoever looked just before another flight, here or in another instance, wrote its answer shall not make it a second time.
  const newer = await store.readEntry<ExtractionResult>(key)
  if (newer && newer.createdAt >= fitFrom) return newer
  await consumeQuota()
  try {
    const { answer, images } = await extractPage(query, context, { signal })
    isFit(answer)
    const createdAt = clock()
    const kept = { createdAt, expiresAt: createdAt + KEEP_MS, images, body: answer }
    await store.writeEntry(key, kept)
    return kept
  } catch (error) {
    if (isPageError(error) && !signal.aborted && saysSomethingOfThePage(error, query)) failures.remember(key, error)
    throw error
  }
}

/** A caller in a hurry learns nothing that others should be told. */
const saysSomethingOfThePage = ({ code }: PageError, { timeout }: PageQuery) =>
  timeout === undefined || (code !== 'ETIMEOUT' && code !== 'EBRWSRTIMEOUT')

/** A good answer that is kept is not given up for the error page of a site that is down. */
async function renew(kept: CacheEntry<ExtractionResult>, order: Order, context: ResultContext): Promise<void> {
  await make(order, context, ({ statusCode, isProvisional }) => {
    if (isProvisional && !kept.body.isProvisional)
      throw new PageError('EBRWSRTIMEOUT', 'The scripts of the page could not be run.')
    if (statusCode >= 400 && kept.body.statusCode < 400)
      throw new PageError('EUNREACHABLE', `The page answers with status ${statusCode} now.`)
  })
}

/** A page that the target says is not there may be there soon, and a browser too. */
function lifeOf({ body: { statusCode, isProvisional } }: CacheEntry<ExtractionResult>, ttlMs: number): number {
  if (isProvisional) return Math.min(ttlMs, FAILURE_TTL_MS.default)
  return statusCode === 404 ? Math.min(ttlMs, FAILURE_TTL_MS.missingPage) : ttlMs
}

function renewalWarnings(revalidations: Revalidations, key: string): string[] {
  const failure = revalidations.lastFailure(key)
  if (!failure) return []
  const reason = failure.error instanceof PageError ? failure.error.message : 'the service failed'
  return [`The renewal failed (${reason}); it is tried again from ${new Date(failure.retryAt).toISOString()} on.`]
}
