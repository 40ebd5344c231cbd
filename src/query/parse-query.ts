import type { QueryInput } from './parameter-pairs.js'
import { ParsedQuery } from './parsed-query.js'

/**
 * Parses a query in any accepted spelling; the input is not changed. A parsed query is returned as it is.
 *
 * @returns  The canonical query and a warning for each unknown parameter, with its canonical text and cache key.
 * @throws   {PageError} `EINVALURL`, `EINVALQUERY`, `EINVALTTL`, `EINVALSTTL`, `EHEADERS`, with the parameter in `data`.
 */
export function parseQuery(input: QueryInput | ParsedQuery): ParsedQuery {
  return input instanceof ParsedQuery ? input : ParsedQuery.parse(input)
}
