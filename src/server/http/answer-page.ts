import { LRUCache } from 'lru-cache'
import { parseQuery, PageError, type PageQuery } from '../../query/index.js'
import { giveAnswer, type AnswerContext, type GivenAnswer } from '../give-answer.js'
import { answerBody, type AnswerBody } from './answer-body.js'
import { keptHeaders, momentHeaders } from './answer-headers.js'
import type { Plan } from './plan.js'
import { requireKey } from './plan.js'

/** An answer with everything but the facts of one request. */
interface ReadyAnswer {
  given: GivenAnswer
  body: AnswerBody
  headers: Record<string, string>
}

export interface PageAnswerOptions {
  plan: Plan
  /** Address of the service, without slash at the end. */
  base: string
  /** Called before anything is made for this client; may refuse by throwing. */
  charge: () => Promise<void>
  /** Headers that tell of this very request. */
  facts: () => Promise<Record<string, string>>
}

export interface PageAnswerer {
  /** Gives the page for other routes; throws as `answer` does. */
  give(query: PageQuery, options: { signal: AbortSignal; charge: () => Promise<void> }): Promise<GivenAnswer>
  /**
   * Answers one `GET /?url=…`.
   *
   * @throws  {PageError} any code of the table.
   */
  answer(request: Request, options: PageAnswerOptions): Promise<Response>
}

const MAX_READY_BYTES = 64 * 1024 * 1024
/** How long bytes are sent without a look into the store, which other processes write to as well. */
const READY_MS = 1_000
const TIMEOUT_MS = 28_000

/** Gives pages out; what was given a moment ago is sent again as it is, from memory. */
export function createPageAnswerer(context: AnswerContext): PageAnswerer {
  const ready = new LRUCache<string, ReadyAnswer>({
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
    async answer(request, { plan, base, charge, facts }) {
      const place = `${plan} ${base} ${request.url}`
      const known = plan === 'free' ? ready.get(place) : undefined
      if (known && isFresh(known.given, context.clock()))
        return send(request, known, { now: context.clock(), facts: await facts() })

      const { query, warnings } = parseQuery(new URL(request.url).searchParams)
      if (plan === 'pro') await requireKey(request, query, context.store)
      const given = await give(query, { signal: request.signal, charge })
      const answer = { ...given, warnings: [...warnings, ...given.warnings] }
      const body = await answerBody(answer, query, base, context.store)
      const fresh = {
        given: answer,
        body,
        headers: { ...keptHeaders(given, Object.keys(query.headers ?? {})), ...body.headers },
      }
      if (plan === 'free' && !query.force) ready.set(place, { ...fresh, given: { ...answer, status: 'HIT' } })
      return send(request, fresh, { now: context.clock(), facts: await facts() })
    },
  }
}

const isFresh = ({ kept, ttlMs, staleTtlMs }: GivenAnswer, now: number) =>
  now - kept.madeAt < (staleTtlMs === false ? ttlMs : staleTtlMs)

function send(
  request: Request,
  { given, body, headers }: ReadyAnswer,
  { now, facts }: { now: number; facts: Record<string, string> },
): Response {
  const all = { ...headers, ...momentHeaders(given, now), ...facts }
  if (matches(request.headers.get('if-none-match'), body.headers.etag))
    return new Response(null, { status: 304, headers: all })
  return new Response(body.bytes, { headers: { ...all, 'content-length': String(body.bytes.byteLength) } })
}

const matches = (asked: string | null, etag: string | undefined) =>
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
