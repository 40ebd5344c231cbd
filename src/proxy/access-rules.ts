import { PageError } from '../query/index.js'

/** What may be requested through a proxy. When both targets and origins are set, both have to match. */
export interface AllowOptions {
  /**
   * Hosts of the pages that may be previewed: `example.com`, `*.example.com` for all subdomains, `example.com:8080` for a
   * non-default port, `*` for every page. Default: every page.
   */
  targets?: readonly string[] | undefined
  /**
   * Origins of the pages that may send requests: `https://example.com`, or `self` for the proxy's own origin. Recognised by
   * `Sec-Fetch-Site`, which browsers send over https and to localhost, else by `Origin` or `Referer`. This keeps out other
   * people's pages, not their programs. Default: every origin.
   */
  origins?: readonly string[] | undefined
  /** Parameters that cost the service more, or are sent to the target page. Default: none. */
  parameters?: readonly ('force' | 'headers')[] | undefined
}

/** The parsed options of one proxy. */
export interface AccessRules {
  /** `undefined`: every origin. */
  origins: readonly string[] | undefined
  allowsParameter(name: 'force' | 'headers'): boolean
  allowsTarget(url: string): boolean
}

/** @throws  {PageError} `EINVALQUERY` for options that name neither targets nor origins, or that cannot be parsed. */
export function parseAccessRules({ targets, origins, parameters = [] }: AllowOptions): AccessRules {
  if (!targets && !origins) throw invalidOption('allow', 'must name targets or origins')
  const patterns = targets?.map(parseHostPattern)
  return {
    origins: origins?.map(parseOrigin),
    allowsParameter: (name) => parameters.includes(name),
    allowsTarget(url) {
      const { host } = new URL(url)
      return !patterns || patterns.some((matches) => matches(host))
    },
  }
}

function parseHostPattern(pattern: string): (host: string) => boolean {
  if (pattern === '*') return () => true
  const isWildcard = pattern.startsWith('*.')
  const url = `https://${isWildcard ? pattern.slice(2) : pattern}`
  if (!URL.canParse(url) || new URL(url).pathname !== '/' || pattern.endsWith('/'))
    throw invalidOption('allow.targets', `contains "${pattern}", which is not a host`)
  const { host: allowed } = new URL(url)
  return isWildcard ? (host) => host.endsWith(`.${allowed}`) : (host) => host === allowed
}

function parseOrigin(origin: string): string {
  const isOrigin = origin === 'self' || (URL.canParse(origin) && new URL(origin).origin === origin)
  if (isOrigin) return origin
  throw invalidOption('allow.origins', `contains "${origin}", which is not an origin such as https://example.com`)
}

/** The error for an option of `createProxy`; `reason` completes the sentence that begins with its name. */
export const invalidOption = (option: string, reason: string): PageError =>
  new PageError('EINVALQUERY', `${option} ${reason}.`, { data: { [option]: reason } })
