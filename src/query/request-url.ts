import { invalidParameter } from './invalid-parameter.js'
import type { QueryInput } from './parameter-pairs.js'
import { parseQuery } from './parse-query.js'
import type { ParsedQuery } from './parsed-query.js'

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
  const host = hostUrl(hosts, plan ?? (parsed.apiKey || parsed.query.signature ? 'pro' : 'free'))
  return `${host}?${parsed.text}`
}

function hostUrl(hosts: Hosts, plan: 'free' | 'pro'): string {
  const url = typeof hosts === 'string' ? hosts : hosts[plan]
  if (url === undefined) throw invalidParameter('hosts', `must name the ${plan} host`)
  // A path stays without a slash, because frameworks redirect "/path/?" to "/path?".
  return url.replace(/^([a-z]+:\/\/[^/]+)$/i, '$1/')
}
