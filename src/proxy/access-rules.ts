import { canParseUrl } from '../query/written-url.js'
import {
  checkHosts,
  invalidParameter,
  parseHostList,
  parseSearch,
  type HostList,
  type ParsedSearch,
} from '../query/help/index.js'

/** What may be requested through a proxy: `targets`, `origins` or both; if both are set, both have to match. */
export interface AllowOptions {
  /**
   * Hosts of the pages that may be previewed: `example.com`, `*.example.com` for all subdomains, `example.com:8080` for a
   * non-default port, `*` for every page. The service applies them to redirects, navigation,
   * `overlay.background` and `styles` too. At most 200. Default: every page, if `origins` is set.
   */
  targets?: readonly string[] | undefined
  /**
   * Origins of the pages that may send requests: `https://example.com`, or `self` for the proxy's own origin. Recognised by
   * `Sec-Fetch-Site`, which browsers send over https and to localhost, else by `Origin` or `Referer`; `self` over http needs
   * an absolute `publicUrl`. It stops other sites from using the proxy, but not programs, which can send any header. Default:
   * every origin, if `targets` is set.
   */
  origins?: readonly string[] | undefined
  /**
   * Parameters that cost the service more, or are sent to the target page; `history` also shows what was captured for the key of the
   * proxy before. Default: none.
   */
  parameters?: readonly RestrictedParameter[] | undefined
}

/** The parsed options of one proxy. */
export interface AccessRules {
  /** `undefined`: every origin. */
  origins: readonly string[] | undefined
  allowsCaller(caller: CallerOrigin): boolean
  allowsParameter(name: RestrictedParameter): boolean
  /** The hosts that may be previewed (`allow.targets`); `undefined`: every host. */
  allowedHosts: HostList | undefined
}

const MISSING =
  "is missing: pass the pages that anyone may preview, such as { targets: ['example.com'] }, or the pages that may show any preview, such as { origins: ['self'] }"

/** @throws  {PageError} `EINVALQUERY` for options that name neither targets nor origins, or that cannot be parsed. */
export function parseAccessRules({ targets, origins, parameters = [] }: AllowOptions = {}): AccessRules {
  if (!targets && !origins) throw invalidParameter('allow', MISSING)
  const parsedOrigins = origins?.map(parseOrigin)
  return {
    origins: parsedOrigins,
    allowsCaller: ({ origin, isSelf }) =>
      !parsedOrigins || (isSelf && parsedOrigins.includes('self')) || parsedOrigins.includes(origin ?? ''),
    allowsParameter: (name) => parameters.includes(name),
    allowedHosts: targets && !targets.includes('*') ? parseTargets(targets) : undefined,
  }
}

function parseTargets(targets: readonly string[]): HostList {
  try {
    return parseHostList(targets)
  } catch (error) {
    throw invalidParameter('allow.targets', error instanceof TypeError ? error.message : String(error))
  }
}

function parseOrigin(origin: string): string {
  const isOrigin = origin === 'self' || (canParseUrl(origin) && new URL(origin).origin === origin)
  if (isOrigin) return origin
  throw invalidParameter('allow.origins', `contains "${origin}", which is not an origin such as https://example.com`)
}

/** The origin of the page that sent a request, as far as the headers reveal it. */
export interface CallerOrigin {
  origin: string | undefined
  /** Whether it has the origin of the proxy. */
  isSelf: boolean
}

/** URL parsers sort the combining characters of a host in quadratic time. */
const MAX_URL_CHARS = 8_192

/**
 * @param ownOrigin  The origin of the proxy, if it is configured.
 * @see  https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 */
export function callerOriginOf({ headers, url }: Request, ownOrigin: string | undefined): CallerOrigin {
  // Browsers send it over https and to localhost only.
  const isSameOrigin = headers.get('sec-fetch-site') === 'same-origin'
  const callerUrl = headers.get('origin') ?? headers.get('referer') ?? ''
  if (callerUrl.length > MAX_URL_CHARS || !canParseUrl(callerUrl)) return { origin: undefined, isSelf: isSameOrigin }
  const caller = new URL(callerUrl)
  // The scheme may differ: TLS may be terminated before this server.
  const isSameHost = caller.host === (headers.get('host') ?? new URL(url).host)
  const isSelf = isSameOrigin || caller.origin === ownOrigin || (isSameHost && !mayBeRebound(caller))
  return { origin: caller.origin, isSelf }
}

/**
 * Whether DNS alone decides which server an origin belongs to, so that another site can point its host name at the proxy: an https
 * origin needs a certificate, and neither localhost nor an IP address is looked up.
 */
const mayBeRebound = ({ protocol, hostname }: URL) =>
  protocol !== 'https:' && !/^(.+\.)?localhost$|^[\d.]+$|^\[/.test(hostname)

const RESTRICTED_PARAMETERS = ['force', 'headers', 'history'] as const
type RestrictedParameter = (typeof RESTRICTED_PARAMETERS)[number]

/** The proxy sends its own key. */
const WITHOUT_SIGNATURE = { keyId: undefined, expires: undefined, signature: undefined }

/**
 * Parses the query of a caller; its key and signature are removed.
 *
 * @throws  {PageError} as `parseQuery` does; `EINVALQUERY` for a parameter and `EFORBIDDENURL` for an address that is not allowed.
 */
export function authorizeQuery(search: URLSearchParams, rules: AccessRules): ParsedSearch {
  const { parsed: complete, warnings } = parseSearch(search)
  const parsed = complete.withoutApiKey().with(WITHOUT_SIGNATURE)
  for (const name of RESTRICTED_PARAMETERS)
    if (parsed.query[name] && !rules.allowsParameter(name)) throw invalidParameter(name, 'is not allowed here')
  if (rules.allowedHosts) checkHosts(parsed.query, rules.allowedHosts)
  return { parsed, warnings }
}
