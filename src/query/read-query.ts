import { DAY_MS, fields, MAX_TTL_MS, type Field, type ParameterName } from './fields.js'
import { refuseWord } from './refuse-word.js'
import { flatten } from './flatten.js'
import { readValue, type Value } from './read-value.js'
import { nameWord } from './canonical-name.js'
import type { PageQuery } from './page-query.js'

/** Anything a query can be read from: an address, search parameters, their text, or a plain object. */
export type QueryInput = URL | URLSearchParams | string | PageQuery | Readonly<Record<string, unknown>>

/** Values by canonical name, flat: `screenshot.type`, `headers.user-agent`, `ping.audio`, `click.0`. */
interface Words {
  [name: string]: Value | undefined
  screenshot?: boolean
  ttl?: number
  staleTtl?: number
}

/**
 * @returns  First what is written: only what is not a default. Then what callers get: with the defaults that only this query
 *           has, for an embedded image is kept longer and an element is a screenshot; and a sentence for each unknown word.
 * @throws   {PageError} `EINVALURL`, `EINVALQUERY`, `EINVALTTL`, `EINVALSTTL`, `EHEADERS`, with the word in `data`.
 */
export function readQuery(input: QueryInput): [canonical: object, parsed: { query: PageQuery; warnings: string[] }] {
  const words: Words = {}
  const warnings: string[] = []
  const pairs = flatten(input)
  // Only a plain object has named parts; what follows a # never belongs to the query of an address.
  for (const [written, text] of new URLSearchParams(
    pairs[0]?.[0] ? pairs : pairs[0]?.[1].replace(/^[^?=&]*\?|#.*/g, ''),
  )) {
    const name = nameWord(written)
    const value =
      name && readValue(fields[name as ParameterName] ?? fields[name.split('.')[0] as ParameterName], name, text)
    if (!name) warnings.push(`"${written}" is unknown.`)
    else if ((words[name] ??= value) !== value) refuseWord(name, 'is unclear')
  }
  words.url ??= readValue(fields.url, 'url', '')

  const has = (pattern: RegExp) => Object.entries(words).some((entry) => pattern.test(entry.toString()))
  const isFramed = has(/^(element|overlay)/)
  words.screenshot ||= isFramed || has(/^screenshot\./)
  const isImage = has(/^embed,(image|logo|screenshot)(\.url)?$/) || (words.screenshot && has(/^embed,true$/))
  const implied: Words = isImage ? { ttl: MAX_TTL_MS, staleTtl: words.ttl! < DAY_MS ? words.ttl : DAY_MS } : {}
  if (words.staleTtl! > (words.ttl ?? implied.ttl ?? DAY_MS)) refuseWord('staleTtl', 'needs 0..ttl', 'EINVALSTTL')
  if (isFramed) implied.screenshot = true
  // One `true` means only those. Not `false`, for beside that an object would have no place.
  if (has(/^meta\..*,true$/)) words.meta = ''

  const canonical: Record<string, unknown> = {}
  const groups: Record<string, Words> = {}
  for (const [name, value] of Object.entries(words)) {
    const [group, option] = name.split(/\.(.*)/s) as [ParameterName, string?]
    const fallback = fields[name as ParameterName]
      ? (implied[name] ?? (fields[name as ParameterName] as Field).default)
      : Boolean(words[group] ?? true)
    if (value === fallback) continue
    // Beside `ping: false` a nested object has no place: the dotted name says the same.
    if (!option || words[group] === false) canonical[name] = value
    else (groups[group] ??= {})[option] = value
  }
  for (const [group, options] of Object.entries(groups)) {
    const parts = Object.values(options)
    canonical[group] = /^(click|styles|filter)$/.test(group) ? (parts[1] ? parts : parts[0]) : options
  }
  if (canonical.filter)
    canonical.filter = [...new Set((canonical.filter as string | string[]).toString().match(/[^\s,]+/g))]
      .toSorted()
      .toString()
  // Built word by word from the table that its type is made of.
  return [canonical, { query: { ...implied, ...canonical } as unknown as PageQuery, warnings }]
}
