import { canParseUrl } from '../query/can-parse-url.js'
import { invalidParameter, parseHostList, type HostList } from '../query/help/index.js'
import type { CallerOrigin } from './caller-origin.js'

/** What may be requested through a proxy. If both targets and origins are set, both have to match. */
export interface AllowOptions {
  /**
   * Hosts of the pages that may be previewed: `example.com`, `*.example.com` for all subdomains, `example.com:8080` for a
   * non-default port, `*` for every page. The service applies them to redirects, navigation,
   * `overlay.background` and `styles` too. At most 200. Default: every page.
   */
  targets?: readonly string[] | undefined
  /**
   * Origins of the pages that may send requests: `https://example.com`, or `self` for the proxy's own origin. Recognised by
   * `Sec-Fetch-Site`, which browsers send over https and to localhost, else by `Origin` or `Referer`; `self` over http needs
   * an absolute `publicUrl`. It stops other sites from using the proxy, but not programs, which can send any header. Default:
   * every origin.
   */
  origins?: readonly string[] | undefined
  /** Parameters that cost the service more, or are sent to the target page. Default: none. */
  parameters?: readonly ('force' | 'headers')[] | undefined
}

/** The parsed options of one proxy. */
export interface AccessRules {
  /** `undefined`: every origin. */
  origins: readonly string[] | undefined
  allowsCaller(caller: CallerOrigin): boolean
  allowsParameter(name: 'force' | 'headers'): boolean
  /** The hosts that may be previewed (`allow.targets`); `undefined`: every host. */
  allowedHosts: HostList | undefined
}

/** @throws  {PageError} `EINVALQUERY` for options that name neither targets nor origins, or that cannot be parsed. */
export function parseAccessRules({ targets, origins, parameters = [] }: AllowOptions): AccessRules {
  if (!targets && !origins) throw invalidParameter('allow', 'must name targets or origins')
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
