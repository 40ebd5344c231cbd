import { readWords, type QueryInput } from './read-words.js'
import { settleWords } from './settle-words.js'

/** How to give an answer, not how to make it. */
const HOW_TO_GIVE = /^(embed|filter|ttl|staleTtl|force|timeout|headers\.apiKey|expires|keyId|signature)$/

/**
 * The canonical text of a query: canonical names, sorted, defaults left out, `x-www-form-urlencoded`.
 *
 * @throws  {PageError} as `parseQuery` does.
 */
export function writeQuery(query: QueryInput): string {
  return write(query, () => true)
}

/**
 * The one key under which client, React and service keep an answer: the canonical text without the words that only say how
 * to give it.
 *
 * @throws  {PageError} as `parseQuery` does.
 */
export function cacheKey(query: QueryInput): string {
  return write(query, (name) => !HOW_TO_GIVE.test(name))
}

function write(query: QueryInput, isWanted: (name: string) => boolean): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of settleWords(readWords(query).words).words) {
    if (!isWanted(name)) continue
    if (Array.isArray(value)) value.forEach((part: string, at) => parameters.append(`${name}.${at}`, part))
    else parameters.append(name, String(value))
  }
  parameters.sort()
  return parameters.toString()
}
