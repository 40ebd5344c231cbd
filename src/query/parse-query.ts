import type { PageQuery } from './page-query.js'
import { readQuery, type QueryInput } from './read-query.js'

/**
 * Reads a query in any accepted spelling; the input stays as it is.
 *
 * @returns  The canonical query, and a sentence for each unknown word, which is left out. An embedded image brings its own
 *           defaults along: `ttl` 31 days, `staleTtl` 24 hours or the shorter ttl.
 * @throws   {PageError} `EINVALURL`, `EINVALQUERY`, `EINVALTTL`, `EINVALSTTL`, `EHEADERS`, with the word in `data`.
 */
export function parseQuery(input: QueryInput): { query: PageQuery; warnings: string[] } {
  return readQuery(input)[1]
}
