import { PageError, parseQuery, type ParsedQuery } from '../query/index.js'
import type { AccessRules } from './access-rules.js'

const RESTRICTED_PARAMETERS = ['force', 'headers'] as const
/** The proxy sends a key of its own. */
const WITHOUT_SIGNATURE = { keyId: undefined, expires: undefined, signature: undefined }

/**
 * Parses the query of a caller; its key and signature are removed.
 *
 * @throws  {PageError} as `parseQuery` does; `EINVALQUERY` for a parameter and `EFORBIDDENURL` for a target that is not allowed.
 */
export function authorizeQuery(search: URLSearchParams, rules: AccessRules): ParsedQuery {
  const parsed = parseQuery(search).withoutApiKey().with(WITHOUT_SIGNATURE)
  const { url, ...parameters } = parsed.query
  for (const name of RESTRICTED_PARAMETERS)
    if (parameters[name] && !rules.allowsParameter(name))
      throw new PageError('EINVALQUERY', `${name} is not allowed here.`, { data: { [name]: 'is not allowed here' } })
  if (!rules.allowsTarget(url))
    throw new PageError('EFORBIDDENURL', `Pages of ${new URL(url).host} may not be previewed here.`, {
      data: { url: 'is not allowed here' },
    })
  return parsed
}
