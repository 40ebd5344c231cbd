import { fields, writeQuery, type PageQuery } from '../../query/index.js'

const TABLE = Object.keys(fields)

/**
 * The words that a query needs, flat, in the order of the table, as text; `screenshot` is said also where an option of it
 * would do.
 */
export function saidWords(query: PageQuery): [name: string, value: string][] {
  const words = [...new URLSearchParams(writeQuery(query))]
  const isSilent = query.screenshot && !words.some(([name]) => name.startsWith('screenshot'))
  if (isSilent) words.push(['screenshot', 'true'])
  return words.toSorted((one, other) => placeOf(one[0]) - placeOf(other[0]))
}

/** `headers.accept` and `click.0` stand where their group does. */
const placeOf = (name: string) => TABLE.indexOf(TABLE.includes(name) ? name : (name.split('.')[0] ?? name))
