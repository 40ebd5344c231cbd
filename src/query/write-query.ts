import { deliveryFields } from './fields.js'
import { flatten } from './flatten.js'
import { readQuery, type QueryInput } from './read-query.js'

/**
 * The canonical text of a query: canonical names, sorted, defaults left out, `x-www-form-urlencoded`.
 *
 * @param without  An object whose keys are canonical names to leave out.
 * @throws         {PageError} as `parseQuery` does.
 */
export function writeQuery(query: QueryInput, without?: object): string {
  const parameters = new URLSearchParams(flatten(readQuery(query)[0]))
  for (const name in without) parameters.delete(name)
  parameters.sort()
  return String(parameters)
}

/**
 * The one key under which client, React and service keep an answer: the canonical text without the words that only say how
 * to give it.
 *
 * @throws  {PageError} as `parseQuery` does.
 */
export function cacheKey(query: QueryInput): string {
  return writeQuery(query, { ...deliveryFields, 'headers.apiKey': 1 })
}
