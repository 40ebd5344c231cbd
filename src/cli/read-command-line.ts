import { closest } from 'fastest-levenshtein'
import { fields, parseQuery, type PageQuery, type ParameterName } from '../query/index.js'
import { UsageError } from './usage-error.js'

/** What `page-preview <url> …` was told. */
export interface PageCommand {
  query: PageQuery
  /** Where the embedded bytes go. */
  output?: string
  endpoint?: string
  proEndpoint?: string
  apiKey?: string
  isVerbose: boolean
}

const OWN_FLAGS = ['--endpoint', '--pro-endpoint', '--api-key', '--output', '--verbose'] as const
const SHORT: Readonly<Record<string, string>> = { '-o': '--output' }

/**
 * Reads words as flags: `--element '#main'`, `--element=#main`, `--ping` (true), `--ping.audio=false`.
 *
 * @throws  {UsageError} for an unknown word, with the nearest known one.
 * @throws  {PageError} for a word whose value is not valid, as `parseQuery` does.
 */
export function readCommandLine(args: readonly string[]): PageCommand {
  const words: [string, string][] = []
  const own: Record<string, string> = {}
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (!arg.startsWith('-')) {
      words.push(['url', arg])
      continue
    }
    const [written, inline] = split(arg)
    const flag = SHORT[written] ?? written
    const isOwn = OWN_FLAGS.some((known) => known === flag)
    const word = flag.replace(/^--/, '')
    if (!isOwn && !isWord(word))
      throw new UsageError(`${written} is no word of the language; did you mean ${nearest(flag)}?`)
    const isSwitch = isOwn ? flag === '--verbose' : isBoolean(word)
    const value = inline ?? (isSwitch && !/^(true|false)$/.test(rest[0] ?? '') ? '' : rest.shift())
    if (value === undefined) throw new UsageError(`${written} needs a value.`)
    if (isOwn) own[flag] = value
    else words.push([word, value])
  }
  if (own['--output'] && !words.some(([word]) => word === 'embed'))
    words.push(['screenshot', ''], ['embed', 'screenshot.url'])
  return {
    query: parseQuery(new URLSearchParams(words)).query,
    isVerbose: '--verbose' in own,
    ...pick(own, { output: '--output', endpoint: '--endpoint', proEndpoint: '--pro-endpoint', apiKey: '--api-key' }),
  }
}

function split(arg: string): [string, string | undefined] {
  const at = arg.indexOf('=')
  return at < 0 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)]
}

const isWord = (written: string) => {
  try {
    return (
      parseQuery(
        new URLSearchParams([
          ['url', 'http://localhost/'],
          [written, 'true'],
        ]),
      ).warnings.length === 0
    )
  } catch {
    // A value that does not fit belongs to a word that is known.
    return true
  }
}

function isBoolean(written: string): boolean {
  const name = written.replace(/[-_]+(\w)/g, (_, letter: string) => letter.toUpperCase())
  if (/^(ping|meta)\./.test(name)) return true
  const word = [name, `screenshot.${name}`, name.replace(/^screenshot\./, '')].find((known) =>
    Object.hasOwn(fields, known),
  )
  return word !== undefined && /^(boolean|switches|embed)$/.test(fields[word as ParameterName].type)
}

const nearest = (flag: string) => closest(flag, [...Object.keys(fields).map((word) => `--${word}`), ...OWN_FLAGS])

function pick<Key extends string>(
  own: Record<string, string>,
  flags: Record<Key, string>,
): Partial<Record<Key, string>> {
  const found = Object.entries<string>(flags).flatMap(([key, flag]) => (own[flag] ? [[key, own[flag]]] : []))
  return Object.fromEntries(found) as Partial<Record<Key, string>>
}
