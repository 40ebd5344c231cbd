import type { QueryInput } from './parameter-pairs.js'
import { parseQuery } from './parse-query.js'
import type { ParsedQuery } from './parsed-query.js'

/**
 * The canonical text of a query: canonical names, sorted, defaults left out, `x-www-form-urlencoded`.
 *
 * @throws  {PageError} as `parseQuery` does.
 */
export const writeQuery = (query: QueryInput | ParsedQuery): string => parseQuery(query).text

/**
 * The key under which client, React and service cache a result: the canonical text without what controls delivery.
 *
 * @throws  {PageError} as `parseQuery` does.
 */
export const cacheKey = (query: QueryInput | ParsedQuery): string => parseQuery(query).cacheKey
