import { LRUCache } from 'lru-cache'
import { fields, parseQuery, PageError, type PageQuery } from '../../query/index.js'
import { giveAnswer, type AnswerContext, type CacheStatus, type GivenAnswer } from '../give-answer.js'
import { answerBody, type AnswerBody } from './answer-body.js'
import { keptHeaders, momentHeaders, pairs, type TellingFacts } from './answer-headers.js'
import { admit, type Plan } from './plan.js'

/** An answer with everything but the facts of one request. */
export interface ReadyAnswer {
  given: GivenAnswer
  body: AnswerBody
  headers: Record<string, string>
}

/** A response, and what it says of the cache. */
export interface SentAnswer {
  response: Response
  status: CacheStatus
}

export interface PageAnswerOptions {
  plan: Plan
  /** Address of the service, without slash at the end. */
  base: string
  /** Called before anything is made for this client; may refuse by throwing. */
  charge: () => Promise<void>
  /** What the headers tell of this very request, asked when the answer is there. */
  facts: () => Promise<TellingFacts>
}

export interface PageAnswerer {
  /**
   * Answers one `GET /?url=…`.
   *
   * @throws  {PageError} any code of the table.
   */
  answer(request: Request, options: PageAnswerOptions): Promise<SentAnswer>
  /** Gives the page for other routes; throws as `answer` does. */
  give(query: PageQuery, options: { signal: AbortSignal; charge: () => Promise<void> }): Promise<GivenAnswer>
  /** What the free host gave for the very same address a moment ago, while it is fresh. */
  lately(url: string): ReadyAnswer | undefined
}

const MAX_READY_BYTES = 64 * 1024 * 1024
/** How long bytes are sent without a look into the store, which other processes write to as well. */
const READY_MS = 1_000
const TIMEOUT_MS = fields.timeout.default

/** Gives pages out; what was given a moment ago is sent again as it is, from memory. */
export function createPageAnswerer(context: AnswerContext): PageAnswerer {
  const lately = new LRUCache<string, ReadyAnswer>({
    maxSize: MAX_READY_BYTES,
    sizeCalculation: ({ body }, key) => body.bytes.byteLength + key.length + 1_024,
    ttl: READY_MS,
  })
  async function give(query: PageQuery, { signal, charge }: { signal: AbortSignal; charge: () => Promise<void> }) {
    const either = AbortSignal.any([signal, AbortSignal.timeout(Number(query.timeout ?? TIMEOUT_MS))])
    try {
      return await giveAnswer(query, context, { signal: either, charge })
    } catch (error) {
      throw either.aborted ? timeOut(either, query) : error
    }
  }

  return {
    give,
    lately(url) {
      const known = lately.get(url)
      return known && isFresh(known.given, context.clock()) ? known : undefined
    },
    async answer(request, { plan, base, charge, facts }) {
      const { query, warnings } = parseQuery(new URL(request.url).searchParams)
      const admission = await admit(request, { plan, query, store: context.store, now: context.clock() })
      const given = await give(query, { signal: request.signal, charge })
      const answer = { ...given, warnings: [...warnings, ...given.warnings] }
      const body = await answerBody(answer, query, base, context.store)
      const ready = {
        given: answer,
        body,
        headers: {
          ...keptHeaders(given, Object.keys(query.headers ?? {}), { ...admission, now: context.clock() }),
          ...body.headers,
        },
      }
      if (plan === 'free' && !query.force) lately.set(request.url, { ...ready, given: { ...answer, status: 'HIT' } })
      return send(request, ready, { now: context.clock(), facts: await facts() })
    },
  }
}

const isFresh = ({ kept, ttlMs, staleTtlMs }: GivenAnswer, now: number) =>
  now - kept.madeAt < (staleTtlMs === false ? ttlMs : staleTtlMs)

function send(
  request: Request,
  { given, body, headers: kept }: ReadyAnswer,
  { now, facts }: { now: number; facts: TellingFacts },
): SentAnswer {
  const { status } = given
  const headers = { ...kept, ...Object.fromEntries(pairs(momentHeaders(given, facts, now))) }
  if (matches(request.headers.get('if-none-match'), body.headers.etag))
    return { response: new Response(null, { status: 304, headers }), status }
  const length = String(body.bytes.byteLength)
  return { response: new Response(body.bytes, { headers: { ...headers, 'content-length': length } }), status }
}

export const matches = (asked: string | null, etag: string | undefined) =>
  asked !== null &&
  etag !== undefined &&
  (asked === '*' || asked.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag))

function timeOut(signal: AbortSignal, query: PageQuery): unknown {
  const reason: unknown = signal.reason
  if (!(reason instanceof DOMException) || reason.name !== 'TimeoutError') return reason
  return new PageError(
    'ETIMEOUT',
    `The page was not ready within ${Number(query.timeout ?? TIMEOUT_MS)} ms; ask with a longer timeout, or later.`,
    {
      data: { timeout: 'passed' },
    },
  )
}
