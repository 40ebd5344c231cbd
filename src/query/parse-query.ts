import type { PageQuery } from './page-query.js'
import { readWords, type QueryInput } from './read-words.js'
import { settleWords } from './settle-words.js'

/**
 * Reads a query in any accepted spelling; the input stays as it is.
 *
 * @returns  The canonical query, and a sentence for each unknown word, which is left out. An embedded image brings its own
 *           defaults along: `ttl` 31 days, `staleTtl` 24 hours or the shorter ttl.
 * @throws   {PageError} `EINVALURL`, `EINVALQUERY`, `EINVALTTL`, `EINVALSTTL`, `EHEADERS`, with the word in `data`.
 */
export function parseQuery(input: QueryInput): { query: PageQuery; warnings: string[] } {
  const { words: read, warnings } = readWords(input)
  const { words, isScreenshot, defaults } = settleWords(read)
  const query: Record<string, unknown> = { ...defaults }
  if (isScreenshot) query.screenshot = true
  for (const [name, value] of words) {
    const dot = name.indexOf('.')
    const group = name.slice(0, dot)
    // Beside `ping: false` a nested object has no place: the dotted name says the same.
    if (dot < 0 || words.has(group)) query[name] = value
    else query[group] = { ...(query[group] as object), [name.slice(dot + 1)]: value }
  }
  return { query: query as unknown as PageQuery, warnings }
}
