import { invalidParameter } from '../query/help/index.js'
import { canParseUrl } from '../query/written-url.js'
import { PageError, type Endpoint } from '../query/index.js'
import { parseAccessRules, type AccessRules, type AllowOptions } from './access-rules.js'
import { createUrlRewriter, type UrlRewriter } from './url-rewriter.js'

export interface ProxyOptions {
  /**
   * Absolute URL of the service; of `{ free, pro }`, the pro host is used when there is a key. Errors link to it for their
   * documentation.
   *
   * @example endpoint: 'https://pro.example.com'
   */
  endpoint: Endpoint
  /**
   * The service's key: sent to it as `x-api-key`, and nowhere else. A pro host needs one.
   *
   * @example apiKey: process.env.PAGE_PREVIEW_API_KEY
   */
  apiKey?: string | undefined
  /**
   * What may be requested.
   *
   * @example allow: { targets: ['example.com', '*.example.com'] }
   */
  allow: AllowOptions
  /**
   * Where browsers reach the proxy: a path, or an absolute URL for callers on other origins and for `allow.origins: ['self']`
   * over http. Image URLs begin with it.
   * Default: `/page-preview`.
   */
  publicUrl?: string | undefined
  /**
   * Whether the page's own images, audio and video go through the proxy too. Then a content security policy needs no other
   * origin, and the previewed page does not learn who looks at its preview. Default: `false`.
   */
  media?: boolean | undefined
  /** Time limit of one request until its last byte, milliseconds. Default: 30,000, slightly more than the service's own limit. */
  timeout?: number | undefined
  /**
   * Whether the visitor who sends a request may send another one now; called before each forwarded request. The proxy does
   * not know visitors and uses one key for all of them, so without a limit one visitor can use up the daily limit of the key.
   *
   * @example isWithinLimit: async (request) => (await limiter.limit({ key: visitorOf(request) })).success
   */
  isWithinLimit?: ((request: Request) => boolean | Promise<boolean>) | undefined
  /** Default: the global one, looked up at each request. */
  fetch?: typeof fetch | undefined
  /**
   * Called for every failure that is not the caller's fault, for a log: of the proxy itself, and when the service fails, is busy, or refuses
   * the key or more requests with it.
   */
  onError?: ((error: unknown) => unknown) | undefined
}

/** The validated options of one proxy. */
export interface ProxyConfig {
  /** URL of the host that is used, without trailing slash. */
  service: string
  apiKey: string | undefined
  /** Milliseconds, until the last byte. */
  timeout: number
  fetch: typeof fetch | undefined
  onError: ProxyOptions['onError']
  /** Path at which the proxy is mounted. */
  path: string
  /** The same, with its origin if there is one. */
  publicUrl: string
  /** `undefined` if `publicUrl` is a path. */
  ownOrigin: string | undefined
  rules: AccessRules
  urls: UrlRewriter
  media: boolean | undefined
  isWithinLimit: ProxyOptions['isWithinLimit']
}

const DEFAULT_TIMEOUT_MS = 30_000

/** @throws  {PageError} `EINVALQUERY` for missing and invalid options, `EAUTH` for a key that no header can carry. */
export function parseProxyOptions(options: ProxyOptions | undefined): ProxyConfig {
  if (!options)
    throw invalidParameter(
      'options',
      "are missing: createProxy({ endpoint: 'https://previews.example.com', apiKey, allow: { targets: ['example.com'] } })",
    )
  const { apiKey, publicUrl = '/page-preview', timeout = DEFAULT_TIMEOUT_MS, media, isWithinLimit, onError } = options
  const service = serviceUrl(options)
  const proxyUrl = withoutTrailingSlash(publicUrl)
  if (!/^(\/|https?:)/.test(publicUrl)) throw invalidParameter('publicUrl', 'must be a path or an absolute URL')
  // The message must not contain the key, since it may be logged.
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new PageError(
      'EAUTH',
      apiKey
        ? 'apiKey is not an API key: page-preview-server keys create prints one, as pp_<id>_<secret>.'
        : 'apiKey is empty: set the environment variable that it comes from, or leave it out for a free host.',
    )
  return {
    service,
    apiKey,
    // A longer timer fires at once.
    timeout: Math.min(timeout, 2 ** 31 - 1),
    fetch: options.fetch,
    onError,
    publicUrl: proxyUrl,
    path: withoutTrailingSlash(new URL(proxyUrl || '/', service).pathname),
    ownOrigin: canParseUrl(proxyUrl) ? new URL(proxyUrl).origin : undefined,
    rules: parseAccessRules(options.allow),
    urls: createUrlRewriter({ service, proxy: proxyUrl, media }),
    media,
    isWithinLimit,
  }
}

/** The URL of the host that is used: the pro host if there is a key. */
function serviceUrl({ endpoint, apiKey }: Partial<ProxyOptions>): string {
  if (!endpoint)
    throw invalidParameter('endpoint', 'is missing: pass the URL of the service, such as https://previews.example.com')
  const { free, pro } = typeof endpoint === 'string' ? { free: endpoint, pro: endpoint } : endpoint
  if (apiKey === undefined && pro && !free)
    throw invalidParameter('apiKey', 'is missing: endpoint names a pro host only, which needs a key')
  const service = withoutTrailingSlash((apiKey === undefined ? free : pro) ?? '')
  if (/^https?:/.test(service) && canParseUrl(service)) return service
  throw invalidParameter('endpoint', 'must be an absolute URL, e.g. https://previews.example.com')
}

function withoutTrailingSlash(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end--
  return url.slice(0, end)
}
