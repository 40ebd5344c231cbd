import { refuseWord } from './refuse-word.js'
import type { QueryInput } from './read-query.js'
import { writeQuery } from './write-query.js'

/** Where the service is: one address for both hosts, or one for each. Absolute, or a path of the page's own origin. */
export type Hosts = string | { readonly free?: string; readonly pro?: string }

/**
 * The address that asks a service for this query: the pro host when the query carries a key or a signature, else the free one.
 *
 * @throws  {PageError} as `parseQuery` does; `EINVALQUERY` when the host to ask is not among `hosts`.
 */
export function requestUrl(query: QueryInput, hosts: Hosts): string {
  const text = writeQuery(query)
  const plan = /(^|&)(headers.apiKey|signature)=/.test(text) ? 'pro' : 'free'
  const base = typeof hosts === 'string' ? hosts : (hosts[plan] ?? refuseWord('hosts', `needs ${plan}`))
  // A path is left as it is, for frameworks redirect "/path/?" to "/path?".
  return base.replace(/(?<=:\/\/[^/]+)$/, '/') + '?' + text
}
