import type { Context } from 'hono'
import { Readable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import { errorBody } from '../../query/help/index.js'
import { PageError } from '../../query/index.js'
import { negotiateEncoding } from './content-coding.js'
import { readRequestBody } from './request-body.js'
import type { Router, RouterEnv } from './request-scopes.js'
import { batchHeaders, corsHeaders, NDJSON_TYPE, notCached } from './response-headers.js'

/** A list of sixty cards takes two requests. */
export const MAX_QUERIES = 50
/** Longer than fifty queries usually are. */
const MAX_BODY_BYTES = 128_000
export const MAX_QUERY_CHARS = 8_192
/** Results that are cached take milliseconds, so they do not wait for long; and a client that reads slowly holds no more results. */
const MAX_AT_ONCE = 10
/** Headers of the list that are not headers of its queries. */
const LIST_HEADERS = [
  'accept-encoding',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'transfer-encoding',
]

/**
 * `POST /previews`: the results of several queries in one response, a line of JSON each, in the order in which they are ready. Each
 * query is a request of its own to `GET /`: authorised, limited, counted and logged as if it came alone.
 */
export function previewsRoute(router: Router): void {
  router.post('/previews', async (c) => {
    const queries = parseQueries(await readRequestBody(c.req.raw, MAX_BODY_BYTES))
    const left = new AbortController()
    const request = {
      signal: AbortSignal.any([c.req.raw.signal, left.signal]),
      headers: queryHeaders(c.req.raw.headers),
    }
    const send = (query: string) => sendQuery(query, request, c, router)
    const lines = Readable.from(linesOf(queries, send), { objectMode: false })
    lines.once('close', () => left.abort())
    const isCompressed = negotiateEncoding(c.req.header('accept-encoding')) !== undefined
    // Each line is sent at once. One gzip for all of them takes fewer bytes than a Brotli for each.
    const body = isCompressed ? lines.compose(createGzip({ flush: constants.Z_SYNC_FLUSH })) : lines
    return new Response(Readable.toWeb(body as Readable) as ReadableStream, {
      headers: {
        ...corsHeaders,
        ...notCached,
        'content-type': NDJSON_TYPE,
        ...(isCompressed && { 'content-encoding': 'gzip' }),
      },
    })
  })
}

/** @throws  {PageError} `EINVALQUERY` that names the field in `data`. */
function parseQueries(body: string): string[] {
  const queries = parseJson(body)?.queries
  if (!Array.isArray(queries) || queries.length === 0 || queries.length > MAX_QUERIES)
    throw invalidField('queries', `must be a list of 1 to ${MAX_QUERIES} queries, such as ["url=https://example.com"]`)
  const invalid = queries.findIndex((query) => typeof query !== 'string' || query.length > MAX_QUERY_CHARS)
  if (invalid >= 0)
    throw invalidField(
      `queries.${invalid}`,
      `must be what follows the ? of a preview, of at most ${MAX_QUERY_CHARS} characters`,
    )
  return queries as string[]
}

function parseJson(text: string): { queries?: unknown } | null {
  try {
    return JSON.parse(text) as { queries?: unknown } | null
  } catch (cause) {
    throw invalidField('body', 'must be JSON, such as {"queries":["url=https://example.com"]}', cause)
  }
}

const invalidField = (name: string, reason: string, cause?: unknown) =>
  new PageError('EINVALQUERY', `${name === 'body' ? 'The body' : name} ${reason}.`, {
    data: { [name]: reason },
    ...(cause !== undefined && { cause }),
  })

function queryHeaders(listHeaders: Headers): Headers {
  const headers = new Headers(listHeaders)
  for (const name of LIST_HEADERS) headers.delete(name)
  headers.set('accept', 'application/json')
  return headers
}

/** Sends ten queries at once, the next one as soon as the line of an earlier one has been read. */
async function* linesOf(queries: readonly string[], send: (query: string) => Promise<string>): AsyncGenerator<string> {
  const running = new Map<number, Promise<{ index: number; rest: string }>>()
  for (let next = 0; next < queries.length || running.size > 0;) {
    while (next < queries.length && running.size < MAX_AT_ONCE) {
      const index = next++
      running.set(
        index,
        send(queries[index]!).then((rest) => ({ index, rest })),
      )
    }
    const { index, rest } = await Promise.race(running.values())
    running.delete(index)
    yield `{"index":${index},${rest}}\n`
  }
}

/** @returns  The status, headers and body of the response, as members of a JSON object. */
async function sendQuery(
  query: string,
  request: { signal: AbortSignal; headers: Headers },
  c: Context<RouterEnv>,
  router: Router,
): Promise<string> {
  const url = new URL('/', c.req.url)
  url.search = query
  if (url.searchParams.has('embed')) return lineOfError(embedError(), c.var.request.base)
  const response = await router.fetch(new Request(url, request), c.env)
  const headers = Object.fromEntries(
    batchHeaders.flatMap((name) => [[name, response.headers.get(name)]]).filter(([, value]) => value !== null),
  )
  return `"status":${response.status},"headers":${JSON.stringify(headers)},"body":${await response.text()}`
}

const lineOfError = (error: PageError, base: string) =>
  `"status":${error.status},"headers":{},"body":${JSON.stringify(errorBody(error, base))}`

function embedError(): PageError {
  const reason = 'is not accepted in a list, because its results are JSON'
  return new PageError('EINVALQUERY', `embed ${reason}.`, { data: { embed: reason } })
}
