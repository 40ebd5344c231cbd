import { errorBody } from '../query/help/index.js'
import { isPageError, PageError, requestUrl } from '../query/index.js'
import { readAllowance, type Allowance, type Rules } from './allowance.js'
import { allowedQuery } from './allowed-query.js'
import { askService, type AskOptions } from './ask-service.js'
import { callingOrigin } from './calling-origin.js'
import { ownAddresses, type OwnAddresses } from './own-addresses.js'
import { passOn } from './pass-on.js'

export interface ProxyOptions {
  /** Absolute address of the service: with a key of its pro host. It stands in answers as where errors are explained. */
  service: string
  /** The service's key: sent to it as `x-api-key`, and nowhere else. */
  apiKey?: string | undefined
  allow: Allowance
  /**
   * Where the proxy is, as browsers see it: a path, or an absolute address for callers on other origins. Default
   * `/page-preview`. Addresses of pictures begin with it.
   */
  publicUrl?: string | undefined
  /**
   * Whether the pictures, audio and video that a page has elsewhere come through the proxy too: then a content security
   * policy needs no other origin, and the previewed page does not learn who looks. Default `false`: their own addresses.
   */
  media?: boolean | undefined
  /** Milliseconds for one request, until its last byte; default 30,000: a little more than the service gives itself. */
  timeout?: number | undefined
  /** Default: the global one, looked up at each request. */
  fetch?: typeof fetch | undefined
  /** Told of every failure that is not the caller's fault, for a log. */
  onError?: ((error: unknown) => void) | undefined
}

interface Proxy extends AskOptions {
  service: string
  /** Path at which it is mounted. */
  path: string
  /** The same with its origin, where there is one. */
  own: string
  rules: Rules
  addresses: OwnAddresses
  media: boolean | undefined
}

const METHODS = 'GET, HEAD, OPTIONS'
const FOR_A_DAY_S = '86400'

/**
 * The service at a path of one's own site, so that browsers need neither its address nor its key: previews at the path itself,
 * and their pictures below it at `/images/`. Nothing else of the service is to be had through it, and of a request nothing is
 * sent on but the query and what HTTP caches need.
 *
 * @returns  A function that never rejects: what goes wrong is an answer like the service's own.
 * @throws   {PageError} `EINVALQUERY` for options that make no sense, `EAUTH` for a key that is none.
 */
export function createProxy(options: ProxyOptions): (request: Request) => Promise<Response> {
  const proxy = readOptions(options)
  return async (request) => {
    const origin = callingOrigin(request)
    try {
      return share(await answer(request, origin, proxy), origin, proxy.rules)
    } catch (thrown) {
      const error = isPageError(thrown)
        ? thrown
        : new PageError('EFATAL', 'Something unforeseen happened in the proxy.')
      if (error.status >= 500) options.onError?.(thrown)
      return share(failure(error, proxy), origin, proxy.rules)
    }
  }
}

function readOptions({ publicUrl = '/page-preview', allow, apiKey, ...options }: ProxyOptions): Proxy {
  const service = withoutSlash(options.service)
  const own = withoutSlash(publicUrl)
  if (!/^https?:/.test(service) || !URL.canParse(service)) throw refused('service', 'must be an absolute address')
  if (!/^(\/|https?:)/.test(publicUrl)) throw refused('publicUrl', 'must be a path or an absolute address')
  // Without the key in the message, which may come into a log.
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new PageError('EAUTH', 'This is no API key: page-preview keys create shows one, as pp_<id>_<secret>.')
  return {
    service,
    apiKey,
    own,
    path: withoutSlash(new URL(own || '/', service).pathname),
    rules: readAllowance(allow),
    addresses: ownAddresses({ service, own }),
    media: options.media,
    timeout: options.timeout ?? 30_000,
    fetch: options.fetch,
  }
}

async function answer(request: Request, origin: string | undefined, proxy: Proxy): Promise<Response> {
  if (request.method === 'OPTIONS') return preflight()
  if (!['GET', 'HEAD'].includes(request.method)) throw new PageError('EMETHOD', `Only ${METHODS} are understood here.`)
  const { pathname, searchParams } = new URL(request.url)
  // Some frameworks take the path off that a handler is mounted at.
  const path = pathname.startsWith(`${proxy.path}/`) ? pathname.slice(proxy.path.length) : pathname
  if (/^\/images\/[\w.]+$/.test(path)) return picture(request, path, proxy)
  if (path !== '/' && path !== proxy.path)
    throw new PageError('ENOTFOUND', `Nothing is at ${pathname}; previews are at ${proxy.path}?url=….`)

  const { origins } = proxy.rules
  if (origins && !origins.includes(origin ?? ''))
    throw new PageError('EAUTH', `${origin ?? 'Whoever is no page of this site'} may not ask for previews here.`, {
      status: 403,
      data: { origin: 'is not allowed' },
    })
  const { query, warnings } = allowedQuery(searchParams, proxy.rules)
  const asking = await askService(requestUrl(query, proxy.service), request, proxy)
  // The service has them under the same key as the answer.
  const mediaUrl = (field: string) => requestUrl({ ...query, filter: undefined, embed: `${field}.url` }, proxy.own)
  return passOn(asking, {
    ...proxy,
    warnings,
    mediaUrl: proxy.media ? mediaUrl : undefined,
    mayBeHtml: query.embed === 'html',
  })
}

async function picture(request: Request, path: string, proxy: Proxy): Promise<Response> {
  const words = new URLSearchParams([...new URL(request.url).searchParams].filter(([name]) => /^(w|type)$/.test(name)))
  const asking = await askService(`${proxy.service}${path}?${words}`, request, proxy)
  return passOn(asking, proxy)
}

function failure(error: PageError, { service }: Proxy): Response {
  const headers = new Headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  if (error.code === 'EMETHOD') headers.set('allow', METHODS)
  return new Response(JSON.stringify(errorBody(error, service)), { status: error.status, headers })
}

const preflight = () =>
  new Response(null, {
    status: 204,
    headers: { allow: METHODS, 'access-control-allow-methods': METHODS, 'access-control-max-age': FOR_A_DAY_S },
  })

/** Lets pages read an answer: any page, or those that may ask. */
function share(response: Response, origin: string | undefined, { origins }: Rules): Response {
  const { headers } = response
  if (!origins) headers.set('access-control-allow-origin', '*')
  else headers.append('vary', 'origin, sec-fetch-site')
  if (origin && origin !== 'self' && origins?.includes(origin)) headers.set('access-control-allow-origin', origin)
  return response
}

const withoutSlash = (address: string) => address.replace(/\/+$/, '')

const refused = (option: string, reason: string) =>
  new PageError('EINVALQUERY', `${option} ${reason}.`, { data: { [option]: reason } })
