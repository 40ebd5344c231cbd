import { invalidParameter } from '../page-error.js'
import { errorBody } from './error-help.js'

// `POST /previews`, for the service and the proxy: a list of queries, whose results are lines of JSON.

export const NDJSON_TYPE = 'application/x-ndjson'
/** A list of sixty cards takes two requests. */
export const MAX_QUERIES = 50
export const MAX_QUERY_CHARS = 8_192
/** More than fifty queries usually have. */
const MAX_BODY_BYTES = 128_000
/** Cached results take milliseconds, so they do not wait for long; and a client that reads slowly holds no more results than these. */
const MAX_AT_ONCE = 10
/** Headers of a list that its queries do not have. */
const LIST_HEADERS = [
  'accept-encoding',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'range',
  'transfer-encoding',
]
/** The headers of a result that clients read. */
const RESULT_HEADERS = [
  'x-cache-status',
  'x-timestamp',
  'x-cache-ttl',
  'age',
  'x-rate-limit-limit',
  'x-rate-limit-remaining',
  'x-rate-limit-reset',
  'retry-after',
]

/**
 * The text of a body.
 *
 * @throws  {PageError} `EINVALQUERY` for a body that is too large; the rest of it is not read.
 */
export async function readRequestBody({ body }: Request, maxBytes: number): Promise<string> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    size += chunk.byteLength
    if (size > maxBytes) throw invalidParameter('body', `is larger than ${maxBytes / 1_000_000} MB; split the list`)
    chunks.push(chunk)
  }
  return new Blob(chunks).text()
}

/**
 * The requests of a list, one for each query.
 *
 * @param list     The request with the body `{ "queries": ["url=https://example.com", …] }`.
 * @param pageUrl  The URL of a preview, without its query.
 * @throws  {PageError} `EINVALQUERY` that names the field in `data`.
 */
export async function readQueryList(list: Request, pageUrl: string): Promise<Request[]> {
  const { headers, signal } = withoutListHeaders(list)
  return parseQueries(await readRequestBody(list, MAX_BODY_BYTES)).map((query) => {
    const url = new URL(pageUrl)
    url.search = query
    return new Request(url, { headers, signal })
  })
}

function parseQueries(body: string): string[] {
  const queries = parseJson(body)?.queries
  if (!Array.isArray(queries) || queries.length === 0 || queries.length > MAX_QUERIES)
    throw invalidParameter(
      'queries',
      `must be a list of 1 to ${MAX_QUERIES} queries, such as ["url=https://example.com"]`,
    )
  const invalid = queries.findIndex((query) => typeof query !== 'string' || query.length > MAX_QUERY_CHARS)
  if (invalid < 0) return queries as string[]
  throw invalidParameter(
    `queries.${invalid}`,
    `must be what follows the ? of a preview, of at most ${MAX_QUERY_CHARS} characters`,
  )
}

function parseJson(text: string): { queries?: unknown } | null {
  try {
    return JSON.parse(text) as { queries?: unknown } | null
  } catch {
    throw invalidParameter('body', 'must be JSON, such as {"queries":["url=https://example.com"]}')
  }
}

function withoutListHeaders({ headers: listHeaders, signal }: Request): { headers: Headers; signal: AbortSignal } {
  const headers = new Headers(listHeaders)
  for (const name of LIST_HEADERS) headers.delete(name)
  headers.set('accept', 'application/json')
  return { headers, signal }
}

/**
 * A line of JSON for each request, in the order in which they are ready. Ten are sent at once, the next one when a line has been read.
 *
 * @param send  Responds to one request; never rejects.
 * @param base  URL of the service, without trailing slash.
 */
export async function* resultLines(
  requests: readonly Request[],
  send: (request: Request) => Promise<Response>,
  base: string,
): AsyncGenerator<string> {
  const running = new Map<number, Promise<{ index: number; result: string }>>()
  for (let next = 0; next < requests.length || running.size > 0;) {
    while (next < requests.length && running.size < MAX_AT_ONCE) {
      const index = next++
      running.set(
        index,
        resultOf(requests[index]!, send, base).then((result) => ({ index, result })),
      )
    }
    const { index, result } = await Promise.race(running.values())
    running.delete(index)
    yield `{"index":${index},${result}}\n`
  }
}

/** The status, headers and body of a response, as members of a JSON object. */
async function resultOf(
  request: Request,
  send: (request: Request) => Promise<Response>,
  base: string,
): Promise<string> {
  if (new URL(request.url).searchParams.has('embed')) {
    const error = invalidParameter('embed', 'is not accepted in a list, because its results are JSON')
    return members(error.status, {}, JSON.stringify(errorBody(error, base)))
  }
  const response = await send(request)
  const headers = [...response.headers].filter(([name]) => RESULT_HEADERS.includes(name))
  return members(response.status, Object.fromEntries(headers), await response.text())
}

const members = (status: number, headers: Record<string, string>, body: string) =>
  `"status":${status},"headers":${JSON.stringify(headers)},"body":${body}`
