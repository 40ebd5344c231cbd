import { PageError, parseQuery, type PageQuery } from '../query/index.js'
import type { Rules } from './allowance.js'

const COSTLY = ['force', 'headers'] as const
/** A signature of the caller's: the proxy has a key of its own. */
const SIGNED = { keyId: undefined, expires: undefined, signature: undefined }

/**
 * Reads what is asked of the proxy. A key or a signature of the caller's is left out.
 *
 * @returns  The query for the service, and a sentence for each word that was left out because nobody knows it.
 * @throws   {PageError} as `parseQuery` does; `EINVALQUERY` for a word and `EFORBIDDENURL` for a target that is not allowed.
 */
export function allowedQuery(words: URLSearchParams, rules: Rules): { query: PageQuery; warnings: string[] } {
  const { query, warnings } = parseQuery(words)
  const { apiKey: _, ...headers } = { apiKey: undefined, ...query.headers }
  const given = { force: query.force, headers: Object.keys(headers).length > 0 }
  for (const word of COSTLY) if (given[word] && !rules.allowsWord(word)) throw notAllowed(word)
  if (!rules.allowsTarget(query.url))
    throw new PageError('EFORBIDDENURL', `Pages of ${new URL(query.url).host} may not be previewed here.`, {
      data: { url: 'is not allowed here' },
    })
  return { query: { ...query, ...SIGNED, headers }, warnings }
}

const notAllowed = (word: string) =>
  new PageError('EINVALQUERY', `${word} is not allowed here.`, { data: { [word]: 'is not allowed here' } })
