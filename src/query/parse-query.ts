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
  const { words, warnings } = readWords(input)
  const settled = settleWords(words)
  const query: Record<string, unknown> = settled.isScreenshot
    ? { ...settled.defaults, screenshot: true }
    : { ...settled.defaults }
  for (const [name, value] of settled.words) {
    const [group, option] = name.split(/\.(.*)/)
    // Beside `ping: false` a nested object has no place: the dotted name says the same.
    if (!option || settled.words.has(group!)) query[name] = value
    else query[group!] = { ...(query[group!] as object), [option]: value }
  }
  return { query: query as unknown as PageQuery, warnings }
}
