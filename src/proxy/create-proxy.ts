import { canParseUrl } from '../query/written-url.js'
import { ALLOW_HOSTS_HEADER, errorBody, NDJSON_TYPE, readQueryList, resultLines } from '../query/help/index.js'
import { isPageError, PageError, requestUrl } from '../query/index.js'
import { authorizeQuery, callerOriginOf, type AccessRules, type CallerOrigin } from './access-rules.js'
import { parseProxyOptions, type ProxyConfig, type ProxyOptions } from './proxy-options.js'
import { MEDIA_FIELDS, type RewriteOptions } from './url-rewriter.js'

const METHODS = 'GET, HEAD, OPTIONS'
const PREFLIGHT_MAX_AGE_S = '86400'
const LIMIT_RETRY_MS = 60_000
/** The `embed` of a media file of the page. */
const MEDIA_EMBEDS: readonly (string | null)[] = MEDIA_FIELDS.map((field) => `${field}.url`)
/** The parameters of `/images/<name>`, which is another image then. */
const VARIANT_PARAMETERS = new Set(['w', 'maxSide', 'maxBytes', 'type', 'tile'])

/** The handler of a proxy: a function from the request of a visitor to its response, which never rejects. */
export interface PreviewProxy {
  (request: Request): Promise<Response>
  /**
   * `fetch` for the server of the proxy itself, without HTTP: a server component or a `createClient` that passes it reaches the
   * service through the proxy, at any URL whose path is that of the proxy. The code of a server needs no origin and has no
   * limit, so `allow.origins` and `isWithinLimit` are not applied to a URL; a `Request` is treated as a visitor's.
   *
   * @example  createClient({ fetch: proxy.fetch })
   */
  fetch: typeof fetch
}

/**
 * The service at a path of your own site, so that browsers need neither its URL nor its key: previews at the path itself,
 * their images below it at `/images/`, and lists of them with POST at `/previews`. Nothing else of the service is reachable through it, and only the query and
 * the headers that HTTP caches need are forwarded. A failure is a response like the service's own.
 *
 * @throws   {PageError} `EINVALQUERY` for missing or invalid options, `EAUTH` for a key that no header can carry.
 * @example  export const GET = createProxy({ endpoint, apiKey, allow: { targets: ['example.com'] } })
 */
export function createProxy(options: ProxyOptions): PreviewProxy {
  const config = parseProxyOptions(options)
  const proxy = (request: Request) => handle(request, callerOriginOf(request, config.ownOrigin), config)
  const ownServer: ProxyConfig = {
    ...config,
    rules: { ...config.rules, origins: undefined, allowsCaller: () => true },
    isWithinLimit: undefined,
  }
  const fetch: PreviewProxy['fetch'] = async (input, { method, headers, signal, body } = {}) => {
    if (input instanceof Request) return proxy(input)
    const url = new URL(input, config.ownOrigin ?? 'http://localhost')
    const request = new Request(url, { method, headers, signal, body })
    const response = await handle(request, { origin: undefined, isSelf: true }, ownServer)
    // As `fetch` does; a visitor who has gone gets no response.
    signal?.throwIfAborted()
    return response
  }
  return Object.assign(proxy, { fetch })
}

async function handle(request: Request, caller: CallerOrigin, config: ProxyConfig): Promise<Response> {
  try {
    return withCorsHeaders(await respond(request, caller, config), caller, config.rules)
  } catch (thrown) {
    const error = isPageError(thrown) ? thrown : new PageError('EFATAL', 'An unexpected error occurred in the proxy.')
    // 401: the service needs a key that the proxy does not have.
    if (error.status >= 500 || error.status === 401) void report(thrown, config)
    return withCorsHeaders(errorResponse(error, config), caller, config.rules)
  }
}

/** A reporter that throws or rejects must not fail the response. */
async function report(error: unknown, { onError }: ProxyConfig): Promise<void> {
  try {
    // A promise, if the function is asynchronous.
    const reported: unknown = onError?.(error)
    await reported
  } catch (thrown) {
    console.error('page-preview: onError of the proxy has thrown', thrown)
  }
}

async function respond(request: Request, caller: CallerOrigin, config: ProxyConfig): Promise<Response> {
  if (request.method === 'OPTIONS') return preflightResponse()
  const { pathname } = new URL(request.url)
  // Some frameworks remove the path at which a handler is mounted.
  const path = pathname.startsWith(`${config.path}/`) ? pathname.slice(config.path.length) : pathname
  if (request.method === 'POST' && path === '/previews') return relayList(request, caller, config)
  if (!['GET', 'HEAD'].includes(request.method)) throw new PageError('EMETHOD', `Only ${METHODS} are supported here.`)
  if (/^\/images\/[\w.]+$/.test(path)) return relayImage(request, path, caller, config)
  if (path === '/' || path === config.path) return relayPreview(request, caller, config)
  throw new PageError('ENOTFOUND', `${pathname} was not found. Request previews at ${config.path}?url=….`)
}

/** The results of several queries; each is a request of its own to the proxy, within its rules and its limit, and to the service. */
async function relayList(request: Request, caller: CallerOrigin, config: ProxyConfig): Promise<Response> {
  const { rules, path, service } = config
  if (!rules.allowsCaller(caller)) throw forbiddenCallerError(caller)
  const requests = await readQueryList(request, new URL(path || '/', request.url).href)
  const lines = resultLines(requests, (each) => handle(each, caller, config), service)
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await lines.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: () => void lines.return(undefined),
  })
  return new Response(body, {
    headers: {
      'content-type': NDJSON_TYPE,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      // nginx would hold back the first lines until the last one is ready.
      'x-accel-buffering': 'no',
    },
  })
}

async function relayPreview(request: Request, caller: CallerOrigin, config: ProxyConfig): Promise<Response> {
  const { rules, service, publicUrl } = config
  const { searchParams } = new URL(request.url)
  // A card from the proxy has them, and the origin of the proxy.
  const isOfCard = config.media && caller.isSelf && MEDIA_EMBEDS.includes(searchParams.get('embed'))
  if (!isOfCard && !rules.allowsCaller(caller)) throw forbiddenCallerError(caller)
  const { parsed, warnings } = authorizeQuery(searchParams, rules)
  await assertWithinLimit(request, config)
  // The service caches them under the same key as the page.
  const mediaUrl = (field: string) =>
    requestUrl(parsed.with({ filter: undefined, force: undefined, embed: `${field}.url` }), publicUrl || '/')
  const embed = String(parsed.query.embed ?? '')
  return relayResponse(await requestService(requestUrl(parsed, service), request, config), config, {
    warnings,
    mediaUrl: config.media ? mediaUrl : undefined,
    hasScreenshots: /^(screenshot|history)\b/.test(embed),
    acceptsHtml: embed === 'html',
  })
}

const forbiddenCallerError = ({ origin }: CallerOrigin) =>
  new PageError(
    'EAUTH',
    `${origin ? `${origin} may not request previews here.` : 'Requests without an origin are not allowed here.'} If the page is on the site of the proxy and has an http URL, set publicUrl to the absolute URL of the proxy. Otherwise add the origin to allow.origins.`,
    { status: 403, data: { origin: 'is not allowed' } },
  )

async function relayImage(
  request: Request,
  path: string,
  caller: CallerOrigin,
  config: ProxyConfig,
): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const variant = new URLSearchParams([...searchParams].filter(([name]) => VARIANT_PARAMETERS.has(name)))
  // Converting an image counts for the key. A card from the proxy has such images, and the origin of the proxy.
  if (String(variant) && !caller.isSelf && !config.rules.allowsCaller(caller)) throw forbiddenCallerError(caller)
  await assertWithinLimit(request, config)
  return relayResponse(await requestService(`${config.service}${path}?${variant}`, request, config), config)
}

async function assertWithinLimit(request: Request, { isWithinLimit }: ProxyConfig): Promise<void> {
  if (!isWithinLimit || (await isWithinLimit(request))) return
  throw new PageError('ERATE', 'You have requested too many previews here. Try again in a minute.', {
    retryAfterMs: LIMIT_RETRY_MS,
  })
}

interface ServiceResponse {
  /** The caller's own `If-None-Match`. */
  ifNoneMatch: string
  /** Redirects are not followed: the key is for the service alone. */
  response: Response
  /** The whole body. */
  text: () => Promise<string>
}

/**
 * Sends a caller's request to the service with the proxy's own key; aborted when the caller disconnects or the time limit
 * passes.
 *
 * @throws  {PageError} `ETIMEOUT`, `EUNREACHABLE`, `EABORTED`; so does `text`.
 */
async function requestService(
  url: string,
  { method, headers: callerHeaders, signal }: Request,
  { apiKey, timeout, fetch = globalThis.fetch, rules, urls }: ProxyConfig,
): Promise<ServiceResponse> {
  const deadline = timeLimit(timeout)
  const headers = forwardedRequestHeaders(callerHeaders)
  const ifNoneMatch = headers.get('if-none-match') ?? ''
  const known = urls.serviceEtags(ifNoneMatch)
  if (known) headers.set('if-none-match', known)
  else headers.delete('if-none-match')
  if (apiKey) headers.set('x-api-key', apiKey)
  if (rules.allowedHosts) headers.set(ALLOW_HOSTS_HEADER, rules.allowedHosts.text)
  const withTypedErrors = async <Result>(work: Promise<Result>) => {
    try {
      return await work
    } catch (cause) {
      if (signal.aborted) throw disconnectedError(cause)
      throw deadline.aborted ? timeoutError(timeout, cause) : serviceError('did not respond', cause)
    }
  }
  const request = { method, headers, redirect: 'manual', signal: AbortSignal.any([signal, deadline]) } as const
  const response = await withTypedErrors(fetch(url, request))
  return { ifNoneMatch, response, text: () => withTypedErrors(response.text()) }
}

/**
 * `AbortSignal.timeout`, but as long as a body is streamed: before Node 22.15 the garbage collector may remove such a signal while only
 * `AbortSignal.any` refers to it, and it never aborts.
 */
function timeLimit(ms: number): AbortSignal {
  const limit = new AbortController()
  const timer: unknown = setTimeout(() => limit.abort(), ms)
  // Node would not exit before; other runtimes have numbers for timers.
  if (typeof timer === 'object' && timer && 'unref' in timer && typeof timer.unref === 'function') timer.unref()
  return limit.signal
}

/** The client has gone, so this response is never read; 499 is the status that access logs use for it. */
const disconnectedError = (cause: unknown) =>
  new PageError('EABORTED', 'The caller closed the connection.', { status: 499, cause })

const timeoutError = (timeoutMs: number, cause: unknown) =>
  new PageError(
    'ETIMEOUT',
    `The preview service did not respond within ${timeoutMs / 1_000} seconds. Try again later.`,
    { cause },
  )

/** @param problem  Completes the sentence "The preview service …". */
const serviceError = (problem: string, cause?: unknown): PageError =>
  new PageError(
    'EUNREACHABLE',
    `The preview service ${problem}: check that it is running and that its URL is correct.`,
    { cause },
  )

/** The response to a query; images have none of these. */
interface RelayOptions extends Partial<RewriteOptions> {
  /** Whether an HTML document was requested. Default: `false`. */
  acceptsHtml?: boolean
}

/**
 * The service's response as the caller receives it: images unchanged, texts with URLs of the proxy.
 *
 * @throws  {PageError} `EUNREACHABLE` for a response that is not from a preview service, `EAUTH` for a service that needs a key,
 *          `ETIMEOUT`.
 */
async function relayResponse(
  { ifNoneMatch, response, text }: ServiceResponse,
  config: ProxyConfig,
  { warnings = [], mediaUrl, hasScreenshots = false, acceptsHtml = false }: RelayOptions = {},
): Promise<Response> {
  const { urls, apiKey } = config
  const { status, ok } = response
  const headers = forwardedResponseHeaders(response.headers)
  const type = headers.get('content-type') ?? ''
  const isJson = type.startsWith('application/json')
  const isHtml = type.startsWith('text/html')
  if (status === 401 && !apiKey)
    throw new PageError('EAUTH', 'The preview service of this proxy needs an API key: pass apiKey to createProxy.')
  const etag = headers.get('etag')
  const rewrittenEtag = etag && urls.rewriteEtag(etag)
  if (status === 304) {
    if (rewrittenEtag && ifNoneMatch.includes(rewrittenEtag)) headers.set('etag', rewrittenEtag)
    return new Response(null, { status, headers })
  }
  if (status >= 300 && status < 400) return relayRedirect(response, headers, config)
  if ((!ok && !isJson) || (isHtml && !acceptsHtml)) throw serviceError(`sent an unexpected response (HTTP ${status})`)
  const isText = hasScreenshots && type.startsWith('text/plain')
  if (!isJson && !isHtml && !isText) return new Response(response.body, { status, headers })

  // Rewriting changes the length.
  headers.delete('content-length')
  if (rewrittenEtag) headers.set('etag', rewrittenEtag)
  // The images of a card tell the proxy that they belong to it, and nobody else anything.
  if (isHtml) headers.set('referrer-policy', 'same-origin')
  const body = await text()
  if (isText) return new Response(urls.rewriteRedirect(body) ?? body, { status, headers })
  if (isHtml || !body) return new Response(urls.rewriteHtml(body, mediaUrl), { status, headers })
  try {
    if (!ok) reportServiceError(JSON.parse(body), status, config)
    return new Response(urls.rewriteJson(body, { warnings, mediaUrl, hasScreenshots }), { status, headers })
  } catch (cause) {
    throw serviceError('sent a response that is not valid JSON', cause)
  }
}

/** Errors of the service that are neither the caller's fault nor that of a page; the key and its limits belong to the proxy. */
const REPORTED_CODES = ['EAUTH', 'EBUSY', 'EFATAL', 'ERATE'] as const

function reportServiceError(json: unknown, status: number, config: ProxyConfig): void {
  const { code, message } = json as Partial<Record<'code' | 'message', unknown>>
  const reported = REPORTED_CODES.find((each) => each === code)
  if (reported) void report(new PageError(reported, String(message), { status }), config)
}

/** Relays a redirect to a stored image. Any other redirect would bypass the proxy. */
function relayRedirect(response: Response, headers: Headers, { urls, service }: ProxyConfig): Response {
  const { status } = response
  const location = response.headers.get('location') ?? ''
  const rewritten = canParseUrl(location, service) && urls.rewriteRedirect(new URL(location, service).href)
  if (!rewritten) throw serviceError(`redirects to another URL (HTTP ${status})`)
  headers.set('location', rewritten)
  return new Response(null, { status, headers })
}

const REQUEST_HEADERS = ['accept', 'if-none-match', 'if-range', 'range']

/**
 * The headers that the service exposes to other origins, and others. The list of the service cannot be imported, because a proxy
 * runs without it.
 */
const RESPONSE_HEADERS = [
  'accept-ranges',
  'access-control-expose-headers',
  'age',
  'cache-control',
  'cache-status',
  'content-disposition',
  'content-length',
  'content-range',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'etag',
  'ratelimit',
  'ratelimit-policy',
  'referrer-policy',
  'retry-after',
  'server-timing',
  'timing-allow-origin',
  'vary',
  'x-cache-status',
  'x-cache-ttl',
  'x-content-type-options',
  'x-fetch-mode',
  'x-image-height',
  'x-image-size',
  'x-image-source',
  'x-image-width',
  'x-pricing-plan',
  'x-rate-limit-limit',
  'x-rate-limit-remaining',
  'x-rate-limit-reset',
  'x-request-id',
  'x-response-time',
  'x-timestamp',
]

/** No cookie, no credential, no address of the caller. */
const forwardedRequestHeaders = (headers: Headers): Headers => pick(headers, REQUEST_HEADERS)

export function forwardedResponseHeaders(headers: Headers): Headers {
  const forwarded = pick(headers, RESPONSE_HEADERS)
  // `fetch` has decompressed the body, so the length no longer fits.
  if (headers.has('content-encoding')) forwarded.delete('content-length')
  return forwarded
}

const pick = (headers: Headers, names: readonly string[]) =>
  new Headers([...headers].filter(([name]) => names.includes(name)))

function errorResponse(error: PageError, { service }: ProxyConfig): Response {
  const headers = new Headers({
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  if (error.code === 'EMETHOD') headers.set('allow', METHODS)
  if (error.retryAfterMs) headers.set('retry-after', String(error.retryAfterMs / 1_000))
  return new Response(JSON.stringify(errorBody(error, service)), { status: error.status, headers })
}

const preflightResponse = () =>
  new Response(null, {
    status: 204,
    headers: { allow: METHODS, 'access-control-allow-methods': METHODS, 'access-control-max-age': PREFLIGHT_MAX_AGE_S },
  })

/** Lets pages read a response: any page, or pages of the allowed origins. */
function withCorsHeaders(response: Response, { origin }: CallerOrigin, { origins }: AccessRules): Response {
  const { headers } = response
  if (!origins) headers.set('access-control-allow-origin', '*')
  else headers.append('vary', 'origin, sec-fetch-site')
  if (origin && origins?.includes(origin)) {
    headers.set('access-control-allow-origin', origin)
    // For the cookies of an app that lets only those who are signed in use the proxy.
    headers.set('access-control-allow-credentials', 'true')
  }
  return response
}
