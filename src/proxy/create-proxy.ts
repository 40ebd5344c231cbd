import { errorBody } from '../query/help/index.js'
import { isPageError, PageError, requestUrl } from '../query/index.js'
import type { AccessRules } from './access-rules.js'
import { authorizeQuery } from './authorize-query.js'
import { callerOriginOf, type CallerOrigin } from './caller-origin.js'
import { parseProxyOptions, type ProxyConfig, type ProxyOptions } from './proxy-options.js'
import { relayResponse } from './relay-response.js'
import { requestService } from './request-service.js'

const METHODS = 'GET, HEAD, OPTIONS'
const PREFLIGHT_MAX_AGE_S = '86400'
const LIMIT_RETRY_MS = 60_000
/** The parameters of `/images/<name>`, which is another image then. */
const VARIANT_PARAMETERS = new Set(['w', 'maxSide', 'maxBytes', 'type'])

/**
 * The service at a path of your own site, so that browsers need neither its URL nor its key: previews at the path itself,
 * their images below it at `/images/`. Nothing else of the service is reachable through it, and only the query and
 * the headers that HTTP caches need are forwarded.
 *
 * @returns  A function that never rejects: a failure is a response like the service's own.
 * @throws   {PageError} `EINVALQUERY` for invalid options, `EAUTH` for a key that no header can carry.
 */
export function createProxy(options: ProxyOptions): (request: Request) => Promise<Response> {
  const config = parseProxyOptions(options)
  return async (request) => {
    const caller = callerOriginOf(request, config.ownOrigin)
    try {
      return withCorsHeaders(await respond(request, caller, config), caller, config.rules)
    } catch (thrown) {
      const error = isPageError(thrown) ? thrown : new PageError('EFATAL', 'An unexpected error occurred in the proxy.')
      if (error.status >= 500) report(thrown, options)
      return withCorsHeaders(errorResponse(error, config), caller, config.rules)
    }
  }
}

/** A reporter that throws must not fail the response. */
function report(error: unknown, { onError }: ProxyOptions): void {
  try {
    onError?.(error)
  } catch (thrown) {
    console.error('page-preview: onError of the proxy has thrown', thrown)
  }
}

async function respond(request: Request, caller: CallerOrigin, config: ProxyConfig): Promise<Response> {
  if (request.method === 'OPTIONS') return preflightResponse()
  if (!['GET', 'HEAD'].includes(request.method)) throw new PageError('EMETHOD', `Only ${METHODS} are supported here.`)
  const { pathname } = new URL(request.url)
  // Some frameworks remove the path at which a handler is mounted.
  const path = pathname.startsWith(`${config.path}/`) ? pathname.slice(config.path.length) : pathname
  if (/^\/images\/[\w.]+$/.test(path)) return relayImage(request, path, caller, config)
  if (path === '/' || path === config.path) return relayPreview(request, caller, config)
  throw new PageError('ENOTFOUND', `${pathname} was not found. Request previews at ${config.path}?url=….`)
}

async function relayPreview(request: Request, caller: CallerOrigin, config: ProxyConfig): Promise<Response> {
  const { rules, service, publicUrl } = config
  if (!rules.allowsCaller(caller)) throw forbiddenCallerError(caller)
  const { parsed, warnings } = authorizeQuery(new URL(request.url).searchParams, rules)
  await assertWithinLimit(request, config)
  // The service caches them under the same key as the page.
  const mediaUrl = (field: string) => requestUrl(parsed.with({ filter: undefined, embed: `${field}.url` }), publicUrl)
  return relayResponse(await requestService(requestUrl(parsed, service), request, config), {
    ...config,
    warnings,
    mediaUrl: config.media ? mediaUrl : undefined,
    acceptsHtml: parsed.query.embed === 'html',
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
  // Converting an image counts for the key.
  if (String(variant) && !config.rules.allowsCaller(caller)) throw forbiddenCallerError(caller)
  await assertWithinLimit(request, config)
  return relayResponse(await requestService(`${config.service}${path}?${variant}`, request, config), config)
}

async function assertWithinLimit(request: Request, { isWithinLimit }: ProxyConfig): Promise<void> {
  if (!isWithinLimit || (await isWithinLimit(request))) return
  throw new PageError('ERATE', 'You have requested too many previews here. Try again in a minute.', {
    retryAfterMs: LIMIT_RETRY_MS,
  })
}

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
  if (origin && origins?.includes(origin)) headers.set('access-control-allow-origin', origin)
  return response
}
