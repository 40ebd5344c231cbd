import { fields } from './fields.js'
import { invalid, nameWord } from './name-word.js'
import type { PageQuery } from './page-query.js'

/** Anything a query can be read from: an address, search parameters, their text, or a plain object. */
export type QueryInput = URL | URLSearchParams | string | PageQuery | Readonly<Record<string, unknown>>

type Value = string | number | boolean | readonly string[]

/** Values by canonical name, flat: `screenshot.type`, `headers.user-agent`, `ping.audio`, `click.0`. */
export type Words = Map<string, Value>

const MAX_DEPTH = 5

/** @throws {PageError} `EINVALURL`, `EINVALQUERY`, `EINVALTTL`, `EINVALSTTL`, `EHEADERS`, with the word in `data`. */
export function readWords(input: QueryInput): { words: Words; warnings: string[] } {
  const words: Words = new Map()
  const warnings: string[] = []
  for (const [written, text] of entriesOf(input)) {
    const found = nameWord(written)
    if (!found) warnings.push(`The unknown word "${written}" was ignored.`)
    else {
      const value = readWord(found.word, found.name, text)
      if ((words.get(found.name) ?? value) !== value) throw invalid(found.name, 'is given twice', 'EINVALQUERY')
      words.set(found.name, value)
    }
  }
  if (!words.has('url')) throw invalid('url', 'is missing')
  return { words, warnings }
}

function readWord(word: keyof typeof fields, name: string, text: string): Value {
  // What a header may carry: https://www.rfc-editor.org/rfc/rfc9110#section-5.5
  if (name !== word && word === 'headers' && /^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return text.trim()
  const { read, expects } = fields[word]
  const value = read(text)
  if (value === undefined) throw invalid(name, `must be ${expects}`)
  return value
}

function* entriesOf(input: QueryInput): Iterable<[string, string]> {
  if (typeof input === 'string') yield* new URLSearchParams(input.replace(/^(\/|\w+:\/\/)[^?]*/, ''))
  else if (input instanceof URLSearchParams) yield* input
  else if (input instanceof URL) yield* input.searchParams
  else yield* flatten(input)
}

function* flatten(value: object, prefix = '', depth = 0): Iterable<[string, string]> {
  for (const [key, part] of Object.entries(value) as [string, unknown][])
    if (typeof part !== 'object') {
      if (part !== undefined) yield [prefix + key, String(part)]
    } else if (part && depth < MAX_DEPTH) yield* flatten(part, `${prefix + key}.`, depth + 1)
}
