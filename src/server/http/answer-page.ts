import { LRUCache } from 'lru-cache'
import { fields, parseQuery, PageError, type PageQuery } from '../../query/index.js'
import { giveAnswer, type AnswerContext, type CacheStatus, type GivenAnswer } from '../give-answer.js'
import { createMediaShelf } from '../media-shelf.js'
import { answerBody, type AnswerBody } from './answer-body.js'
import { keptHeaders, momentHeaders, pairs, type TellingFacts } from './answer-headers.js'
import { readCardStyles } from './card-styles.js'
import { codingFor, createCompressor, type Coding, type Compressor } from './compressor.js'
import { admit, type Plan } from './plan.js'
import { sendBody } from './send-body.js'

export { matches } from './etag.js'

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
  /** What the free host gave for the very same address a moment ago, while it is fresh, in the coding that is asked for. */
  lately(url: string, acceptEncoding?: string): ReadyAnswer | undefined
}

type ReadQuery = ReturnType<typeof parseQuery>

/** A ready answer, and the same in the codings that were asked for so far. */
interface Lately {
  plain: ReadyAnswer
  coded: Partial<Record<Coding, ReadyAnswer>>
}

const MAX_READY_BYTES = 64 * 1024 * 1024
/** A large one would put out all others. */
const MAX_READY_ANSWER_BYTES = 8 * 1024 * 1024
/** How long bytes are sent without a look into the store, which other processes write to as well. */
const READY_MS = 1_000
const TIMEOUT_MS = fields.timeout.default
const FREE_OF_CHARGE = async () => {}

/** Gives pages out; what was given a moment ago is sent again as it is, from memory. */
export function createPageAnswerer(context: AnswerContext): PageAnswerer {
  const { store, clock } = context
  const media = createMediaShelf(context)
  const compress = createCompressor()
  const styles = readCardStyles()
  const lately = new LRUCache<string, Lately>({
    maxSize: MAX_READY_BYTES,
    maxEntrySize: MAX_READY_ANSWER_BYTES,
    sizeCalculation: ({ plain }, key) => plain.body.bytes.byteLength + key.length + 1_024,
    ttl: READY_MS,
  })

  /** The answer with its body; when the file that it names is lost, it is made once more. */
  async function giveBody({ query, warnings }: ReadQuery, { base, charge }: PageAnswerOptions, signal: AbortSignal) {
    for (let tried = 1; tried <= 2; tried++) {
      const bare = await giveAnswer(query, context, { signal, charge })
      const given = { ...bare, warnings: [...warnings, ...bare.warnings] }
      const wasKept = given.status === 'HIT' || given.status === 'STALE'
      const sources = { base, store, media, styles, signal, charge: wasKept ? charge : FREE_OF_CHARGE }
      const body = await answerBody(given, query, sources)
      if (body) return { given: { ...given, status: body.status ?? given.status }, body }
    }
    throw new PageError('EFATAL', 'The kept picture is lost; ask again with force=true.')
  }

  return {
    give: (query, { signal, charge }) =>
      inTime(query, signal, (either) => giveAnswer(query, context, { signal: either, charge })),
    lately(url, acceptEncoding) {
      const known = lately.get(url)
      if (!known || !isFresh(known.plain.given, clock())) return undefined
      const coding = codingFor(acceptEncoding)
      return coding ? (known.coded[coding] ??= encode(known.plain, compress, coding)) : known.plain
    },
    async answer(request, options) {
      const { plan, facts: tell } = options
      const read = parseQuery(new URL(request.url).searchParams)
      const { query } = read
      const admission = await admit(request, { plan, query, store, now: clock() })
      const { given, body } = await inTime(query, request.signal, (signal) => giveBody(read, options, signal))
      const { status } = given
      const facts = keptHeaders(given, Object.keys(query.headers ?? {}), { ...admission, now: clock() })
      const isAgain = plan === 'free' && !query.force && status !== 'STALE' && !body.headers['accept-ranges']
      if (isAgain) {
        const plain = encode({ given: { ...given, status: 'HIT' }, body, headers: facts }, compress, undefined)
        lately.set(request.url, { plain, coded: {} })
      }
      const moment = Object.fromEntries(pairs(momentHeaders(given, await tell(), clock())))
      return { response: sendBody(request, body, { compress, headers: { ...facts, ...moment } }), status }
    },
  }
}

const isFresh = ({ kept, ttlMs, staleTtlMs }: GivenAnswer, now: number) =>
  now - kept.madeAt < (staleTtlMs === false ? ttlMs : staleTtlMs)

function encode({ given, body: plain, headers }: ReadyAnswer, compress: Compressor, coding: Coding | undefined) {
  const body = compress(plain, coding)
  return { given, body, headers: { ...headers, ...body.headers } }
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
