import { fields, parseQuery, PageError, type PageQuery } from '../../query/index.js'
import { resolveResult, type ResultContext, type CacheStatus, type ResolvedResult } from '../results/index.js'
import { createMediaCache } from '../media/index.js'
import { responseBody } from './response-body.js'
import { cacheHeaders, timeDependentHeaders, pairs, type RequestMetadata } from './response-headers.js'
import { readCardStyles } from './card-styles.js'
import { createCompressor } from './compressor.js'
import { admit, type Plan } from './plan.js'
import { createResponseCache, type PreparedResponse } from './response-cache.js'
import { sendBody } from './send-body.js'

export { matches } from './etag.js'

/** A response, and what it says of the cache. */
export interface SentResponse {
  response: Response
  status: CacheStatus
}

export interface PageHandlerOptions {
  plan: Plan
  /** Address of the service, without slash at the end. */
  base: string
  /** Called before anything is made for this client; may refuse by throwing. */
  consumeQuota: () => Promise<void>
  /** What the headers tell of this very request, asked when the answer is there. */
  facts: () => Promise<RequestMetadata>
}

export interface PageHandler {
  /**
   * Answers one `GET /?url=…`.
   *
   * @throws  {PageError} any code of the table.
   */
  answer(request: Request, options: PageHandlerOptions): Promise<SentResponse>
  /** Gives the page for other routes; throws as `answer` does. */
  give(query: PageQuery, options: { signal: AbortSignal; consumeQuota: () => Promise<void> }): Promise<ResolvedResult>
  /** What the free host gave for the very same address a moment ago, while it is fresh, in the coding that is asked for. */
  lately(url: string, acceptEncoding?: string): PreparedResponse | undefined
}

type ReadQuery = ReturnType<typeof parseQuery>

const TIMEOUT_MS = fields.timeout.default
const NO_QUOTA = async () => {}

/** Gives pages out; what was given a moment ago is sent again as it is, from memory. */
export function createPageHandler(context: ResultContext): PageHandler {
  const { store, clock } = context
  const media = createMediaCache(context)
  const compress = createCompressor()
  const styles = readCardStyles()
  const ready = createResponseCache(compress, clock)

  /** The answer with its body; when the file that it names is lost, it is made once more. */
  async function giveBody(
    { query, warnings }: ReadQuery,
    { base, plan, consumeQuota }: PageHandlerOptions,
    signal: AbortSignal,
  ) {
    for (let tried = 1; tried <= 2; tried++) {
      const bare = await resolveResult(query, context, { signal, consumeQuota })
      const given = { ...bare, warnings: [...warnings, ...bare.warnings] }
      const wasKept = given.status === 'HIT' || given.status === 'STALE'
      const sources = { base, plan, store, media, styles, signal, consumeQuota: wasKept ? consumeQuota : NO_QUOTA }
      const body = await responseBody(given, query, sources)
      if (body) return { given: { ...given, status: body.status ?? given.status }, body }
    }
    throw new PageError('EFATAL', 'The kept picture is lost; ask again with force=true.')
  }

  return {
    give: (query, { signal, consumeQuota }) =>
      inTime(query, signal, (either) => resolveResult(query, context, { signal: either, consumeQuota })),
    lately: (url, acceptEncoding) => ready.get(url, acceptEncoding),
    async answer(request, options) {
      const { plan, facts: tell } = options
      const read = parseQuery(new URL(request.url).searchParams)
      const { query } = read
      const admission = await admit(request, { plan, query, store, now: clock() })
      const { given, body } = await inTime(query, request.signal, (signal) => giveBody(read, options, signal))
      const { status } = given
      const facts = cacheHeaders(given, Object.keys(query.headers ?? {}), { ...admission, now: clock() })
      const isAgain = plan === 'free' && !query.force && status !== 'STALE' && !body.headers['accept-ranges']
      if (isAgain) ready.keep(request.url, { ...given, status: 'HIT' }, body, facts)
      const moment = Object.fromEntries(pairs(timeDependentHeaders(given, await tell(), clock())))
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
