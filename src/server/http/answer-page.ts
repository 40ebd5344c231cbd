import { fields, parseQuery, PageError, type PageQuery } from '../../query/index.js'
import { giveAnswer, type AnswerContext, type CacheStatus, type GivenAnswer } from '../give-answer.js'
import { createMediaShelf } from '../media-shelf.js'
import { answerBody } from './answer-body.js'
import { keptHeaders, momentHeaders, pairs, type TellingFacts } from './answer-headers.js'
import { readCardStyles } from './card-styles.js'
import { createCompressor } from './compressor.js'
import { admit, type Plan } from './plan.js'
import { createReadyAnswers, type ReadyAnswer } from './ready-answers.js'
import { sendBody } from './send-body.js'

export { matches } from './etag.js'

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
  /** What the free host gave for the very same address a moment ago, while it is fresh, in the coding that is asked for. */
  lately(url: string, acceptEncoding?: string): ReadyAnswer | undefined
}

type ReadQuery = ReturnType<typeof parseQuery>

const TIMEOUT_MS = fields.timeout.default
const FREE_OF_CHARGE = async () => {}

/** Gives pages out; what was given a moment ago is sent again as it is, from memory. */
export function createPageAnswerer(context: AnswerContext): PageAnswerer {
  const { store, clock } = context
  const media = createMediaShelf(context)
  const compress = createCompressor()
  const styles = readCardStyles()
  const ready = createReadyAnswers(compress, clock)

  /** The answer with its body; when the file that it names is lost, it is made once more. */
  async function giveBody(
    { query, warnings }: ReadQuery,
    { base, plan, charge }: PageAnswerOptions,
    signal: AbortSignal,
  ) {
    for (let tried = 1; tried <= 2; tried++) {
      const bare = await giveAnswer(query, context, { signal, charge })
      const given = { ...bare, warnings: [...warnings, ...bare.warnings] }
      const wasKept = given.status === 'HIT' || given.status === 'STALE'
      const sources = { base, plan, store, media, styles, signal, charge: wasKept ? charge : FREE_OF_CHARGE }
      const body = await answerBody(given, query, sources)
      if (body) return { given: { ...given, status: body.status ?? given.status }, body }
    }
    throw new PageError('EFATAL', 'The kept picture is lost; ask again with force=true.')
  }

  return {
    give: (query, { signal, charge }) =>
      inTime(query, signal, (either) => giveAnswer(query, context, { signal: either, charge })),
    lately: (url, acceptEncoding) => ready.get(url, acceptEncoding),
    async answer(request, options) {
      const { plan, facts: tell } = options
      const read = parseQuery(new URL(request.url).searchParams)
      const { query } = read
      const admission = await admit(request, { plan, query, store, now: clock() })
      const { given, body } = await inTime(query, request.signal, (signal) => giveBody(read, options, signal))
      const { status } = given
      const facts = keptHeaders(given, Object.keys(query.headers ?? {}), { ...admission, now: clock() })
      const isAgain = plan === 'free' && !query.force && status !== 'STALE' && !body.headers['accept-ranges']
      if (isAgain) ready.keep(request.url, { ...given, status: 'HIT' }, body, facts)
      const moment = Object.fromEntries(pairs(momentHeaders(given, await tell(), clock())))
      return { response: sendBody(request, body, { compress, headers: { ...facts, ...moment } }), status }
    },
  }
}

/** Runs what takes long with the query's own deadline. */
async function inTime<Result>(
  query: PageQuery,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const timeoutMs = Number(query.timeout ?? TIMEOUT_MS)
  const either = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    return await work(either)
  } catch (error) {
    throw either.aborted ? timeOut(either, timeoutMs) : error
  }
}

function timeOut({ reason }: AbortSignal, timeoutMs: number): unknown {
  if (!(reason instanceof DOMException) || reason.name !== 'TimeoutError') return reason
  return new PageError(
    'ETIMEOUT',
    `The page was not ready within ${timeoutMs} ms; ask with a longer timeout, or later.`,
    { data: { timeout: 'passed' } },
  )
}
