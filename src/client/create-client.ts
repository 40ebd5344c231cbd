import { PageError, parseQuery, requestUrl, type Hosts, type PageQuery, type QueryInput } from '../query/index.js'
import { pageResult, type PageResult } from './page-result.js'
import { pause, pauseMs } from './backoff.js'
import { parseResponse } from './parse-response.js'

export interface ClientOptions {
  /** Default: `/page-preview` on the page's own origin. */
  hosts?: Hosts | undefined
  /** Chooses the pro host. Sent as `x-api-key`; never part of an address. */
  apiKey?: string | undefined
  /** Default: the global one, looked up at each request. */
  fetch?: typeof fetch | undefined
  /** Milliseconds for one attempt, default 30,000: a little more than the service gives itself. */
  timeout?: number | undefined
  /** How often a request that may succeed next time is repeated, default 2. */
  retry?: number | undefined
  /** Sent to the service with each request; what the target page shall get is the query's `headers`. */
  headers?: Readonly<Record<string, string>> | undefined
}

export interface PageOptions {
  signal?: AbortSignal | undefined
  /** Asks the service even when the browser's HTTP cache has an answer, default `false`. */
  revalidate?: boolean | undefined
}

export interface Client {
  /**
   * Asks for a page. Network faults, 408, 502, 503 and 504 are tried again.
   *
   * @throws  {PageError} before any request as `parseQuery` does; the service's own error; `EFATALCLIENT` (no answer, or one
   *          that cannot be read), `ETIMEOUTCLIENT`, `EABORTED`.
   */
  page(query: QueryInput, options?: PageOptions): Promise<PageResult>
  /**
   * The address that gives a field of the answer itself, for `<img src>`: the query's `embed`, or the screenshot. It never
   * carries a key, so a pro host needs a signed query or a proxy.
   *
   * @throws  {PageError} as `parseQuery` does.
   */
  embedUrl(query: QueryInput): string
  /**
   * The address that `page` asks, without the key.
   *
   * @throws  {PageError} as `parseQuery` does.
   */
  requestUrl(query: QueryInput): string
}

interface Prepared {
  url: string
  headers: Record<string, string>
  warnings: string[]
}

const WORTH_RETRYING = new Set([408, 502, 503, 504])

/** A client of the service; runs in browsers, Node and Workers. */
export function createClient(options: ClientOptions = {}): Client {
  const { hosts = '/page-preview', apiKey, timeout = 30_000, retry = 2, headers } = options

  function prepare(input: QueryInput, change: (query: PageQuery) => PageQuery = (query) => query): Prepared {
    const { query, warnings } = parseQuery(input)
    const { apiKey: queryKey, ...targetHeaders } = query.headers ?? {}
    const key = queryKey ?? apiKey
    return {
      url: requestUrl({ ...change(query), headers: targetHeaders }, key ? proHost(hosts) : hosts),
      headers: { accept: 'application/json', ...headers, ...(key && { 'x-api-key': key }) },
      warnings,
    }
  }

  async function askOnce(request: Prepared, { signal, revalidate }: PageOptions): Promise<PageResult> {
    const { fetch = globalThis.fetch } = options
    const deadline = AbortSignal.timeout(timeout)
    const init = {
      headers: request.headers,
      signal: AbortSignal.any(signal ? [signal, deadline] : [deadline]),
      ...(revalidate && { cache: 'no-cache' as const }),
    }
    const [response, json] = await fetch(request.url, init)
      .then(async (response) => [response, await response.json().catch(ignoreSyntaxError)] as const)
      .catch((cause: unknown) => {
        throw signal?.aborted
          ? aborted(cause)
          : deadline.aborted
            ? tooSlow(timeout, cause)
            : unreachable(request, cause)
      })
    return pageResult(parseResponse(response, json), response.headers)
  }

  return {
    async page(query, pageOptions = {}) {
      const request = prepare(query)
      const { signal } = pageOptions
      for (let attempt = 0; ; attempt++) {
        if (signal?.aborted) throw aborted(signal.reason)
        try {
          const result = await askOnce(request, pageOptions)
          const warnings = [...request.warnings, ...(result.warnings ?? [])]
          return warnings.length ? { ...result, warnings } : result
        } catch (error) {
          const waitMs = attempt < retry && isWorthRetrying(error) ? pauseMs(attempt, error.retryAfterMs) : undefined
          if (waitMs === undefined) throw error
          await pause(waitMs, signal)
        }
      }
    },
    embedUrl: (query) =>
      prepare(query, (words) =>
        words.embed ? words : { ...words, screenshot: words.screenshot ?? true, embed: 'screenshot.url' },
      ).url,
    requestUrl: (query) => prepare(query).url,
  }
}

function proHost(hosts: Hosts): string {
  const host = typeof hosts === 'string' ? hosts : hosts.pro
  if (host) return host
  throw new PageError('EINVALQUERY', 'hosts.pro is missing, and an API key works on the pro host only.', {
    data: { hosts: 'pro is missing' },
  })
}

function isWorthRetrying(error: unknown): error is PageError {
  if (!(error instanceof PageError)) return false
  const hadNoAnswer = error.code === 'EFATALCLIENT' && error.status === 0
  return hadNoAnswer || WORTH_RETRYING.has(error.status)
}

/** A body that is not JSON has no status, which is reported with the response. */
function ignoreSyntaxError(error: unknown): undefined {
  if (!(error instanceof SyntaxError)) throw error
}

const aborted = (cause: unknown) => new PageError('EABORTED', 'The request was aborted.', { cause })

const tooSlow = (timeoutMs: number, cause: unknown) =>
  new PageError('ETIMEOUTCLIENT', `The service did not answer within ${timeoutMs} ms.`, { cause })

const unreachable = ({ url }: Prepared, cause: unknown) =>
  new PageError(
    'EFATALCLIENT',
    `No answer from ${url.split('?')[0]}: is the service running, and is this address right?`,
    {
      cause,
    },
  )
