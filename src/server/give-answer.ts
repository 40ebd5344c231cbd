import { cacheKey, fields, isPageError, PageError, type PageQuery } from '../query/index.js'
import { FAILURE_TTL_MS, runPaid, type FailureMemory, type Renewals, type SingleFlight } from './jobs/index.js'
import { makeAnswer, type PageSources } from './make-answer.js'
import type { MadeAnswer } from './made-answer.js'
import type { KeptAnswer } from './store/index.js'

export type CacheStatus = 'MISS' | 'HIT' | 'STALE' | 'BYPASS'

/** An answer on its way out. */
export interface GivenAnswer {
  key: string
  kept: KeptAnswer<MadeAnswer>
  status: CacheStatus
  /** Milliseconds: how long this request lets an answer live, and from which age on it calls it stale. */
  ttlMs: number
  staleTtlMs: number | false
  /** Sentences that hold for this request alone. */
  warnings: string[]
}

/** Where answers come from, and what is remembered of them. */
export interface AnswerContext extends PageSources {
  flights: SingleFlight<KeptAnswer<MadeAnswer>>
  renewals: Renewals
  failures: FailureMemory
  clock: () => number
}

const DEFAULT_TTL_MS = fields.ttl.default
/** Every request applies its own ttl to what is kept, so it is kept for the longest. */
const KEEP_MS = fields.ttl.max

/** Renewals happen for everybody. */
const FREE_OF_CHARGE = async () => {}

/**
 * Gives the kept answer when it is young enough for this query, else makes one; a stale one is renewed in the background.
 *
 * @param charge  Called before anything is made because of this client, so once however many ask; may refuse by throwing.
 * @throws        {PageError} whatever making it says, also when that was said a short while ago.
 */
export async function giveAnswer(
  query: PageQuery,
  context: AnswerContext,
  { signal, charge }: { signal: AbortSignal; charge: () => Promise<void> },
): Promise<GivenAnswer> {
  const { store, clock, renewals, failures } = context
  const key = cacheKey(query)
  const ttlMs = Number(query.ttl ?? DEFAULT_TTL_MS)
  const staleTtlMs = query.staleTtl === undefined || query.staleTtl === false ? false : Number(query.staleTtl)
  const given = (kept: KeptAnswer<MadeAnswer>, status: CacheStatus, warnings: string[] = []): GivenAnswer => {
    const lifeMs = lifeOf(kept, ttlMs)
    const freshMs = staleTtlMs !== false && Math.min(staleTtlMs, lifeMs)
    return { key, kept, status, ttlMs: lifeMs, staleTtlMs: freshMs, warnings }
  }

  const askedAt = clock()
  const kept = query.force ? undefined : await store.readAnswer<MadeAnswer>(key)
  const age = kept ? askedAt - kept.madeAt : Infinity
  if (kept && age < lifeOf(kept, ttlMs)) {
    if (staleTtlMs === false || age < staleTtlMs) return given(kept, 'HIT')
    renewals.renew(key, (renewal) =>
      renew(kept, { key, query, fitFrom: kept.madeAt + 1, signal: renewal, charge: FREE_OF_CHARGE }, context),
    )
    return given(kept, 'STALE', renewalWarnings(renewals, key))
  }

  const earlier = query.force ? undefined : failures.recall(key)
  if (earlier) throw earlier
  const fitFrom = query.force ? askedAt + 1 : Math.max(kept ? kept.madeAt + 1 : 0, askedAt - ttlMs)
  return given(await make({ key, query, fitFrom, signal, charge }, context), query.force ? 'BYPASS' : 'MISS')
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
  charge: () => Promise<void>
}

async function make(
  order: Order,
  context: AnswerContext,
  isFit: (answer: MadeAnswer) => void = () => undefined,
): Promise<KeptAnswer<MadeAnswer>> {
  const { key, signal } = order
  const makeAlone = (flight: AbortSignal) =>
    context.store.exclusively(key, () => makeOnce({ ...order, signal: flight }, context, isFit), { signal: flight })
  return runPaid(context.flights, key, makeAlone, { signal })
}

async function makeOnce(
  { key, query, fitFrom, signal, charge }: Order,
  context: AnswerContext,
  isFit: (answer: MadeAnswer) => void,
): Promise<KeptAnswer<MadeAnswer>> {
  const { failures, store, clock } = context
  // Whoever looked just before another flight, here or in another instance, wrote its answer shall not make it a second time.
  const newer = await store.readAnswer<MadeAnswer>(key)
  if (newer && newer.madeAt >= fitFrom) return newer
  await charge()
  try {
    const { answer, images } = await makeAnswer(query, context, { signal })
    isFit(answer)
    const madeAt = clock()
    const kept = { madeAt, expiresAt: madeAt + KEEP_MS, images, body: answer }
    await store.writeAnswer(key, kept)
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
async function renew(kept: KeptAnswer<MadeAnswer>, order: Order, context: AnswerContext): Promise<void> {
  await make(order, context, ({ statusCode, isMakeshift }) => {
    if (isMakeshift && !kept.body.isMakeshift)
      throw new PageError('EBRWSRTIMEOUT', 'The scripts of the page could not be run.')
    if (statusCode >= 400 && kept.body.statusCode < 400)
      throw new PageError('EUNREACHABLE', `The page answers with status ${statusCode} now.`)
  })
}

/** A page that the target says is not there may be there soon, and a browser too. */
function lifeOf({ body: { statusCode, isMakeshift } }: KeptAnswer<MadeAnswer>, ttlMs: number): number {
  if (isMakeshift) return Math.min(ttlMs, FAILURE_TTL_MS.default)
  return statusCode === 404 ? Math.min(ttlMs, FAILURE_TTL_MS.missingPage) : ttlMs
}

function renewalWarnings(renewals: Renewals, key: string): string[] {
  const failure = renewals.lastFailure(key)
  if (!failure) return []
  const reason = failure.error instanceof PageError ? failure.error.message : 'the service failed'
  return [`The renewal failed (${reason}); it is tried again from ${new Date(failure.retryAt).toISOString()} on.`]
}
