import {
  PageError,
  parseQuery,
  requestUrl,
  type Hosts,
  type ParsedQuery,
  type PageResponse,
  type QueryInput,
} from '../query/index.js'
import { retryDelayMs, sleep } from './backoff.js'
import { pageResult, type PageResult } from './page-result.js'
import { parseResponse } from './parse-response.js'

export interface ClientOptions {
  /**
   * URL of the service, or of its two hosts. Default: `/page-preview` on the page's own origin.
   *
   * @example hosts: 'https://previews.example.com'
   */
  hosts?: Hosts | undefined
  /**
   * Selects the pro host. Sent as `x-api-key`, never part of a URL; a secret, so pass it on servers alone.
   *
   * @example apiKey: process.env.PAGE_PREVIEW_API_KEY
   */
  apiKey?: string | undefined
  /**
   * Sends the requests. Default: the global one, looked up at each request.
   *
   * @example fetch: (url, init) => fetch(url, { ...init, credentials: 'include' })
   */
  fetch?: typeof fetch | undefined
  /**
   * Time limit of one attempt, in milliseconds; by default slightly more than the service's own limit.
   *
   * @default 30_000
   * @example timeout: 10_000
   */
  timeout?: number | undefined
  /**
   * How many times a failed request is repeated when it may succeed next time.
   *
   * @default 2
   * @example retry: 0
   */
  retry?: number | undefined
  /**
   * Headers for the service. The query's `headers` are those for the target page.
   *
   * @example headers: { authorization: 'Basic …' }
   */
  headers?: Readonly<Record<string, string>> | undefined
}

export interface PageOptions {
  signal?: AbortSignal | undefined
  /** Bypasses a fresh entry of the browser's HTTP cache. Default: `false`. */
  revalidate?: boolean | undefined
}

export interface Client {
  /**
   * Requests a page. Network errors, 408, 502, 503 and 504 are retried.
   *
   * @throws  {PageError} before any request as `parseQuery` does; the service's own error; `EFATALCLIENT` (no response, or an
   *          unreadable one), `ETIMEOUTCLIENT`, `EABORTED`.
   */
  page(query: QueryInput | ParsedQuery, options?: PageOptions): Promise<PageResult>
  /**
   * The URL of an embedded field, for `<img src>`: the query's `embed`, or the screenshot. It never carries a key, so a pro
   * host needs a signed query or a proxy.
   *
   * @throws  {PageError} as `parseQuery` does.
   */
  embedUrl(query: QueryInput | ParsedQuery): string
  /**
   * The URL that `page` requests, without the key.
   *
   * @throws  {PageError} as `parseQuery` does.
   */
  requestUrl(query: QueryInput | ParsedQuery): string
}

const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_RETRIES = 2
const RETRYABLE_STATUSES = new Set([408, 502, 503, 504])

/** A client of the service; runs in browsers, Node and Workers. */
export function createClient(options: ClientOptions = {}): Client {
  const { hosts = '/page-preview' } = options

  /** The URL without the key, which goes into a header. */
  function urlOf(parsed: ParsedQuery): string {
    const hasKey = (parsed.apiKey ?? options.apiKey) !== undefined
    return requestUrl(parsed.withoutApiKey(), hosts, hasKey ? 'pro' : undefined)
  }

  return {
    async page(query, { signal, revalidate } = {}) {
      const parsed = parseQuery(query)
      const requestOptions = { ...options, apiKey: parsed.apiKey ?? options.apiKey, signal, revalidate }
      const url = urlOf(parsed)
      const { response, body } = await fetchWithRetries(url, requestOptions)
      const warnings = [...parsed.warnings, ...(body.warnings ?? [])]
      return pageResult(warnings.length ? { ...body, warnings } : body, response.headers)
    },
    embedUrl(query) {
      const parsed = parseQuery(query)
      const { embed, screenshot } = parsed.query
      return urlOf(embed ? parsed : parsed.with({ embed: 'screenshot.url', screenshot: screenshot ?? true }))
    },
    requestUrl: (query) => urlOf(parseQuery(query)),
  }
}

interface RequestOptions extends ClientOptions, PageOptions {}

interface Fetched {
  response: Response
  body: PageResponse
}

async function fetchWithRetries(url: string, options: RequestOptions): Promise<Fetched> {
  const { retry = DEFAULT_RETRIES, signal } = options
  for (let attempt = 0; ; attempt++) {
    if (signal?.aborted) throw abortedError(signal.reason)
    try {
      return await fetchOnce(url, options)
    } catch (error) {
      const delayMs = attempt < retry && isRetryable(error) ? retryDelayMs(attempt, error.retryAfterMs) : undefined
      if (delayMs === undefined) throw error
      await sleep(delayMs, signal)
    }
  }
}

async function fetchOnce(url: string, options: RequestOptions): Promise<Fetched> {
  const { fetch = globalThis.fetch, timeout = DEFAULT_TIMEOUT_MS, apiKey, headers, signal, revalidate } = options
  const deadline = AbortSignal.timeout(timeout)
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...headers, ...(apiKey && { 'x-api-key': apiKey }) },
      signal: AbortSignal.any(signal ? [signal, deadline] : [deadline]),
      // A redirect would take the key, which is for this origin alone, to another one.
      redirect: apiKey ? 'error' : 'follow',
      ...(revalidate && { cache: 'no-cache' }),
    })
    const json: unknown = await response.json().catch(ignoreSyntaxError)
    return { response, body: parseResponse(response, json) }
  } catch (error) {
    if (error instanceof PageError) throw error
    if (signal?.aborted) throw abortedError(error)
    throw deadline.aborted ? timeoutError(timeout, error) : unreachableError(url, error)
  }
}

function isRetryable(error: unknown): error is PageError {
  if (!(error instanceof PageError)) return false
  const hadNoResponse = error.code === 'EFATALCLIENT' && error.status === 0
  return hadNoResponse || RETRYABLE_STATUSES.has(error.status)
}

/** A body that is not JSON lacks a status, which is reported with the response. */
function ignoreSyntaxError(error: unknown): undefined {
  if (!(error instanceof SyntaxError)) throw error
}

const abortedError = (cause: unknown) => new PageError('EABORTED', 'The request was aborted.', { cause })

const timeoutError = (timeoutMs: number, cause: unknown) =>
  new PageError('ETIMEOUTCLIENT', `The service did not respond within ${timeoutMs} ms.`, { cause })

const unreachableError = (url: string, cause: unknown) =>
  new PageError(
    'EFATALCLIENT',
    `No response from ${url.split('?', 1)[0]}: check that the service is running and that this URL is correct.`,
    { cause },
  )
