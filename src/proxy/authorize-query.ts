import { checkHosts, parseSearch, type ParsedSearch } from '../query/help/index.js'
import { PageError } from '../query/index.js'
import type { AccessRules } from './access-rules.js'

const RESTRICTED_PARAMETERS = ['force', 'headers'] as const
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
    if (parsed.query[name] && !rules.allowsParameter(name))
      throw new PageError('EINVALQUERY', `${name} is not allowed here.`, { data: { [name]: 'is not allowed here' } })
  if (rules.allowedHosts) checkHosts(parsed.query, rules.allowedHosts)
  return { parsed, warnings }
}
