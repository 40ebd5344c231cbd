import { errorCodes, PageError, type ErrorCode, type Endpoint, type PageResponse } from '../query/index.js'

export interface ClientOptions {
  /**
   * URL of the service, or `{ free, pro }` for the URLs of its free and its pro host. Default: `/page-preview` on the page's own origin.
   *
   * @example endpoint: 'https://previews.example.com'
   */
  endpoint?: Endpoint | undefined
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
   * Time limit of one attempt, in milliseconds; by default slightly more than the service's own limit. It starts when six or fewer
   * earlier requests are unanswered, because a browser sends no more to one host at the same time over HTTP/1.1.
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
  /** Aborts the request, which then fails with `EABORTED`. */
  signal?: AbortSignal | undefined
  /** Bypasses a fresh entry of the browser's HTTP cache. Default: `false`. */
  revalidate?: boolean | undefined
}

/** The cache headers of a response; `undefined` if the service or a proxy left one out. */
export interface CacheInfo {
  /** How the service has got the result: captured now, from its cache, stale from its cache, or captured because of `force`. */
  status: 'MISS' | 'HIT' | 'STALE' | 'BYPASS' | (string & {}) | undefined
  /** Age when the response was sent, milliseconds. */
  ageMs: number | undefined
  /** Total lifetime, milliseconds. */
  ttlMs: number | undefined
  /** When the result was produced, milliseconds since 1970. */
  timestamp: number | undefined
}

/** The daily limit of the free host. */
export interface RateLimit {
  /** Uncached requests per day. */
  limit: number
  /** Uncached requests left today. */
  remaining: number
  /** When the limit resets, seconds since 1970. */
  reset: number
}

/** The body of a response with what its headers add. */
export interface PageResult extends PageResponse {
  /** Where the result comes from, and how old it is. */
  cache: CacheInfo
  /** Present only for a host with a limit. */
  rateLimit: RateLimit | undefined
}

const RETRYABLE_STATUSES: readonly number[] = [408, 502, 503, 504]

/** One request, ready to be sent. */
interface PageRequest {
  /** The URL of the request, without the key. */
  url: string
  /** The key, sent as a header. */
  apiKey?: string | undefined
  /** Warnings about the query, which the result repeats. */
  warnings: readonly string[]
  /** The error of an invalid query, thrown in place of a request. */
  error?: unknown
}

interface RequestOptions extends Omit<ClientOptions, 'endpoint' | 'apiKey'>, PageOptions {
  /**
   * How long to wait before a failed request is repeated, milliseconds; `undefined` if it is not. Default: `retryDelayMs` after no
   * response, and HTTP 408, 502, 503 and 504.
   */
  retryDelay?: ((error: PageError, attempt: number) => number | undefined) | undefined
}

/**
 * Requests a page. Network errors, 408, 502, 503 and 504 are retried.
 *
 * @throws  {PageError} The service's own error; `EFATALCLIENT` (no response, or an unreadable one), `ETIMEOUTCLIENT`,
 *          `EABORTED`.
 */
export function requestPage(request: PageRequest, options: RequestOptions): Promise<PageResult> {
  return sendRequest(request, options, async (response) => {
    const json: unknown = await response.json().catch(ignoreSyntaxError)
    const body = parseResponse(response, json)
    const warnings = [...request.warnings, ...(body.warnings ?? [])]
    return pageResult(warnings.length ? { ...body, warnings } : body, response.headers)
  })
}

/**
 * Sends a request, and repeats it as `requestPage` does.
 *
 * @param read  Reads the response, whatever its status, within the time limit of the attempt.
 * @throws      {PageError} as `requestPage` does.
 */
export async function sendRequest<Result>(
  { url, apiKey, error: invalid }: PageRequest,
  {
    fetch = globalThis.fetch,
    timeout = 30_000,
    retry = 2,
    retryDelay = delayAfter,
    headers,
    signal,
    revalidate,
  }: RequestOptions,
  read: (response: Response) => Promise<Result>,
): Promise<Result> {
  if (invalid) throw invalid
  for (let attempt = 0; ; attempt++) {
    const [deadline, endDeadline] = startDeadline(fetch, timeout)
    let failure: PageError
    try {
      signal?.throwIfAborted()
      const response = await fetch(url, {
        // A key has letters, digits, `_` and `-`: an error about any other character would quote the key.
        headers: { accept: 'application/json', ...headers, ...(apiKey && { 'x-api-key': encodeURI(apiKey.trim()) }) },
        signal: AbortSignal.any(signal ? [signal, deadline] : [deadline]),
        // A redirect would take the key, which is for this origin alone, to another one; workers of Cloudflare know no `error`.
        redirect: apiKey ? 'manual' : 'follow',
        ...(revalidate && { cache: 'no-cache' }),
      })
      return await read(response)
    } catch (cause) {
      const reason: [ErrorCode, string] = signal?.aborted
        ? ['EABORTED', 'The request was aborted.']
        : deadline.aborted
          ? ['ETIMEOUTCLIENT', `The service did not respond within ${timeout} ms.`]
          : [
              'EFATALCLIENT',
              `No response from ${url.split('?', 1)[0]}: is the service running, and is this URL correct?`,
            ]
      failure = cause instanceof PageError ? cause : new PageError(...reason, { cause })
    } finally {
      endDeadline()
    }
    const delayMs = attempt < retry ? retryDelay(failure, attempt) : undefined
    if (delayMs === undefined) throw failure
    await sleep(delayMs, signal)
  }
}

/** Starts the time limit of each request that a `fetch` has not finished, in the order of the requests. */
const unfinished = new WeakMap<typeof fetch, Set<() => void>>()

/**
 * A signal that aborts `timeoutMs` after its request has been sent. Nothing tells when a browser sends a request, but the first
 * six are not in its queue, and every other has at most as long again.
 */
function startDeadline(fetch: typeof globalThis.fetch, timeoutMs: number): [signal: AbortSignal, end: () => void] {
  const controller = new AbortController()
  const starts = unfinished.get(fetch) ?? new Set()
  unfinished.set(fetch, starts)
  let timer: ReturnType<typeof setTimeout> | undefined
  // A longer timer fires at once.
  const delayMs = Math.min(timeoutMs, 2 ** 31 - 1)
  const start = () => (timer ??= setTimeout(() => controller.abort(), delayMs))
  // A browser sends six at the same time to one host over HTTP/1.1; the others wait in its queue.
  const startSent = () => [...starts].slice(0, 6).forEach((start) => start())
  const latestStart = setTimeout(start, delayMs)
  starts.add(start)
  startSent()
  const end = () => {
    clearTimeout(latestStart)
    clearTimeout(timer)
    starts.delete(start)
    startSent()
  }
  return [controller.signal, end]
}

/** A body that is not JSON lacks a status, which is reported with the response. */
function ignoreSyntaxError(error: unknown): undefined {
  if (!(error instanceof SyntaxError)) throw error
}

const delayAfter = ({ code, status, retryAfterMs }: PageError, attempt: number): number | undefined =>
  (code === 'EFATALCLIENT' && status === 0) || RETRYABLE_STATUSES.includes(status)
    ? retryDelayMs(attempt, retryAfterMs)
    : undefined

/**
 * The delay before a request is repeated: exponential backoff with full jitter, first up to 300 ms, later up to 10 s, and never shorter
 * than `retry-after`.
 *
 * @param attempt       0 after the first failure.
 * @param retryAfterMs  Requested by the service.
 * @returns             `undefined` when the service requires more than 30 s, longer than a caller should wait.
 * @see                 https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function retryDelayMs(attempt: number, retryAfterMs = 0): number | undefined {
  if (retryAfterMs > 30_000) return undefined
  return retryAfterMs + Math.random() * Math.min(10_000, 300 * 2 ** attempt)
}

/** Resolves after the delay, or earlier when `signal` aborts; never rejects. */
function sleep(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, delayMs)
    signal?.addEventListener('abort', finish)
    if (signal?.aborted) finish()
  })
}

/**
 * Validates the body of a response.
 *
 * @param json  `undefined` for a body that is not JSON, for example the error page of a reverse proxy.
 * @throws  {PageError} The service's own error; `EFATALCLIENT` for a body that is not one of the service's. Both carry the HTTP
 *          status and the delay of `retry-after`.
 */
export function parseResponse(response: Response, json: unknown): PageResponse {
  const body = isObject(json) ? json : {}
  const { status, data, code, message } = body
  // What else it contains is the service's word.
  if (response.ok && status === 'success' && isObject(data)) return body as typeof body & PageResponse

  const details = { status: response.status, retryAfterMs: retryAfterMs(response.headers) }
  const isError = status === 'fail' || status === 'error'
  if (isError && isErrorCode(code)) throw new PageError(code, String(message), { ...details, data: reasonsIn(data) })
  throw new PageError(
    'EFATALCLIENT',
    `${response.url.split('?', 1)[0]} ${isError ? `sent the unknown error ${String(code)}: ${String(message)}` : 'is not a preview service'} (HTTP ${response.status}).`,
    details,
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorCodes, code)
}

function reasonsIn(data: unknown): Record<string, string> {
  const entries = isObject(data) ? Object.entries(data) : []
  return Object.fromEntries(entries.map(([parameter, reason]) => [parameter, String(reason)]))
}

/** Seconds or a date: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3 */
function retryAfterMs(headers: Headers): number | undefined {
  const seconds = numericHeader(headers, 'retry-after')
  const delayMs = seconds === undefined ? Date.parse(String(headers.get('retry-after'))) - Date.now() : seconds * 1_000
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs)
}

export function pageResult(body: PageResponse, headers: Headers): PageResult {
  const ageSeconds = numericHeader(headers, 'age')
  const limit = numericHeader(headers, 'x-rate-limit-limit')
  const remaining = numericHeader(headers, 'x-rate-limit-remaining')
  const reset = numericHeader(headers, 'x-rate-limit-reset')
  const isLimited = limit !== undefined && remaining !== undefined && reset !== undefined
  return {
    ...body,
    cache: {
      status: headers.get('x-cache-status') ?? undefined,
      ageMs: ageSeconds && ageSeconds * 1_000,
      ttlMs: numericHeader(headers, 'x-cache-ttl'),
      timestamp: numericHeader(headers, 'x-timestamp'),
    },
    rateLimit: isLimited ? { limit, remaining, reset } : undefined,
  }
}

function numericHeader(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)
  const number = Number(text)
  return text && Number.isFinite(number) ? number : undefined
}
