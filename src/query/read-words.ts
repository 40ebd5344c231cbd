import { fields } from './fields.js'
import { nameWord } from './name-word.js'
import type { PageQuery } from './page-query.js'
import { invalid, readValue, type Value } from './read-value.js'

/** Anything a query can be read from: an address, search parameters, their text, or a plain object. */
export type QueryInput = URL | URLSearchParams | string | PageQuery | Readonly<Record<string, unknown>>

/** Values by canonical name, flat, as written: `screenshot.type`, `headers.user-agent`, `ping.audio`. */
export type Words = Map<string, Value>

const MAX_DEPTH = 5

/** @throws {PageError} `EINVALQUERY`, `EINVALTTL`, `EINVALSTTL`, `EHEADERS`, with the word in `data`. */
export function readWords(input: QueryInput): { words: Words; warnings: string[] } {
  const words: Words = new Map()
  const lists = new Map<string, string[]>()
  const warnings: string[] = []

  for (const [written, text] of entriesOf(input)) {
    const found = nameWord(written)
    if (!found) {
      warnings.push(`The unknown word "${written.slice(0, 99)}" was ignored.`)
      continue
    }
    const { word, name, index } = found
    const value = name.startsWith('headers.') ? readHeader(name, text) : readValue(fields[word], text, name)
    const list = lists.get(name) ?? []
    const earlier = index < 0 ? words.get(name) : list[index]
    if (earlier !== undefined && earlier !== value) throw invalid(name, 'is given twice with different values')
    if (index < 0) words.set(name, value)
    else lists.set(name, Object.assign(list, { [index]: text }))
  }

  for (const [name, list] of lists) {
    const parts = list.flat()
    words.set(
      name,
      name === 'filter' ? readValue(fields.filter, parts.join(), name) : parts.length > 1 ? parts : parts[0],
    )
  }
  return { words, warnings }
}

function* entriesOf(input: QueryInput): Iterable<[string, string]> {
  if (input instanceof URLSearchParams) yield* input
  else if (input instanceof URL) yield* input.searchParams
  else if (typeof input !== 'string') yield* flatten(input, '', 0)
  else if (/^(\/|\w+:\/\/)/.test(input)) yield* new URL(input, 'http://x').searchParams
  else yield* new URLSearchParams(input)
}

function* flatten(value: object, prefix: string, depth: number): Iterable<[string, string]> {
  for (const [key, part] of Object.entries(value) as [string, unknown][]) {
    if (part === undefined || part === null) continue
    if (typeof part !== 'object') yield [prefix + key, String(part)]
    else if (depth < MAX_DEPTH) yield* flatten(part, `${prefix + key}.`, depth + 1)
  }
}

function readHeader(name: string, text: string): string {
  // What a header may carry: https://www.rfc-editor.org/rfc/rfc9110#section-5.5
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return text.trim()
  throw invalid(name, 'has characters that a header cannot carry', 'EHEADERS')
}
