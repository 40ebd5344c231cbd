import { fields, type Word } from './fields.js'
import { invalid } from './read-value.js'

/** A word as it was written, resolved: its row of the table, its canonical name, and its place in an array. */
export interface NamedWord {
  word: Word
  /** The word, or the word with the part a user chose: `headers.user-agent`, `ping.audio`. */
  name: string
  /** Place in an array, −1 for a value of its own. */
  index: number
}

const NEVER_SENT =
  /^(connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|host|content-length|cookie2|proxy-.*|x-forwarded-.*)$/

const isWord = (name: string): name is Word => Object.hasOwn(fields, name)
const toCamel = (segment: string) => segment.replace(/[-_]+(\w)/g, (_, letter: string) => letter.toUpperCase())
const toKebab = (segment: string) =>
  segment
    .replace(/_/g, '-')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()

/**
 * @returns  `undefined` for a word that the language does not have.
 * @throws   {PageError} `EINVALQUERY` for a name that could reach a prototype, `EHEADERS`.
 */
export function nameWord(written: string): NamedWord | undefined {
  const segments = written.split('.')
  for (const segment of segments)
    if (/^(__proto__|constructor|prototype)$/.test(segment)) throw invalid(written, 'is not allowed')

  const [first, ...rest] = segments.map(toCamel) as [string, ...string[]]
  if (first === 'headers' && rest.length) return { word: 'headers', name: nameHeader(segments), index: -1 }
  if ((first === 'ping' || first === 'meta') && rest.length)
    return { word: first, name: [first, ...rest].join('.'), index: -1 }

  const canonical = [first, ...rest].join('.')
  const [, base, index = -1] = /^(click|styles|filter)\.(\d{1,3})$/.exec(canonical) ?? [undefined, canonical]
  const inner = base!.replace(/^screenshot\.(?=element$|overlay\.)/, '')
  for (const word of [inner, `screenshot.${inner}`]) if (isWord(word)) return { word, name: word, index: Number(index) }
  if (base === 'overlay' || base === 'screenshot.overlay' || base === 'viewport')
    throw invalid(base, `must be ${base}.<option>`)
  return undefined
}

function nameHeader([, ...segments]: string[]): string {
  const name = toKebab(segments.join('.'))
  if (name === 'api-key') return 'headers.apiKey'
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || NEVER_SENT.test(name))
    throw invalid(`headers.${name}`, 'may not be sent', 'EHEADERS')
  return `headers.${name}`
}
