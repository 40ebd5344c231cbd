import { isJsonObject } from './is-json-object.js'
import { readSloppyJson } from './sloppy-json.js'

/** The keys of the JSON, by the names of `<meta>` that state the same one by one. */
const NAMES = {
  title: 'parsely-title',
  author: 'parsely-author',
  authors: 'parsely-author',
  pub_date: 'parsely-pub-date',
  image_url: 'parsely-image-url',
} as const

const MAX_AUTHORS = 10

/**
 * Reads `<meta name="parsely-page">`, which states all metadata as JSON.
 *
 * @returns  The values that the page does not state otherwise, by the name of a `<meta>`.
 * @see      https://docs.parse.ly/install/basic/repeated-meta-tags/
 */
export function readParselyPage(metas: ReadonlyMap<string, readonly string[]>): [name: string, values: string[]][] {
  const page = readSloppyJson(metas.get('parsely-page')?.[0] ?? '').find(isJsonObject) ?? {}
  return Object.entries(NAMES).flatMap(([key, name]): [string, string[]][] => {
    const values = [page[key]]
      .flat()
      .slice(0, MAX_AUTHORS)
      .filter((value) => typeof value === 'string')
    return values.length && !metas.has(name) ? [[name, values]] : []
  })
}
