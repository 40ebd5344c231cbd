import { invalidParameter } from './page-error.js'
import { parseQuery, type ParsedQuery, type QueryInput } from './parsed-query.js'

/** URL of the service: one for both hosts, or one for each. Absolute, or a path of the page's own origin. */
export type Hosts = string | { readonly free?: string; readonly pro?: string }

/**
 * The URL that requests this query.
 *
 * @param plan  Which host; default: `pro` when the query carries a key or a signature.
 * @throws      {PageError} as `parseQuery` does; `EINVALQUERY` when the host is not among `hosts`.
 */
export function requestUrl(query: QueryInput | ParsedQuery, hosts: Hosts, plan?: 'free' | 'pro'): string {
  const parsed = parseQuery(query)
  const chosen = plan ?? (parsed.apiKey || parsed.query.signature ? 'pro' : 'free')
  const host = typeof hosts === 'string' ? hosts : hosts[chosen]
  if (host === undefined) throw invalidParameter('hosts', `must name the ${chosen} host`)
  // A path stays without a slash, because frameworks redirect "/path/?" to "/path?".
  return `${host.replace(/^([a-z]+:\/\/[^/]+)$/i, '$1/')}?${parsed.text}`
}
