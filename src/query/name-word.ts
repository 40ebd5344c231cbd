import { fields, type Word } from './fields.js'
import { PageError, type ErrorCode } from './page-error.js'

/** A word as it was written, resolved. */
export interface NamedWord {
  word: Word
  /** The word, with the part that a user chose (`headers.user-agent`, `ping.audio`) or the place in a list (`click.0`). */
  name: string
}

const OWN_CODE: Readonly<Record<string, ErrorCode>> = {
  url: 'EINVALURL',
  ttl: 'EINVALTTL',
  staleTtl: 'EINVALSTTL',
  headers: 'EHEADERS',
}
const NEVER_SENT =
  /^(connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|host|content-length|cookie2|(proxy|x-forwarded)-.*|.*[^\w!#$%&'*+.^`|~-].*)?$/

/** The error for one bad word; the reason reads on from the word's name. */
export const invalid = (name: string, reason: string, code = OWN_CODE[name.split('.')[0]!] ?? 'EINVALQUERY') =>
  new PageError(code, `${name} ${reason}.`, { data: { [name]: reason } })

/**
 * @returns  `undefined` for a word that the language does not have.
 * @throws   {PageError} `EINVALQUERY` for a name that could reach a prototype, `EHEADERS`.
 */
export function nameWord(written: string): NamedWord | undefined {
  if (/(^|\.)(__proto__|constructor|prototype)(\.|$)/.test(written))
    throw invalid(written, 'is forbidden', 'EINVALQUERY')
  const camel = written.replace(/[-_]+(\w)/g, (_, letter: string) => letter.toUpperCase())
  const name = camel.replace(/^screenshot\.(?=element|overlay)/, '')
  const [, group, at] = /^(headers|ping|meta|click|styles|filter)\.(?:(\d{1,3})$|.+)/.exec(name) ?? []
  if (group === 'headers') return { word: group, name: nameHeader(written.slice(8)) }
  if (group && !at === /^(ping|meta)$/.test(group)) return { word: group as Word, name }
  if (/^(overlay|viewport)$/.test(name)) throw invalid(name, `must be ${name}.<option>`)
  const word = [name, `screenshot.${name}`].find((known) => Object.hasOwn(fields, known)) as Word | undefined
  return word && { word, name: word }
}

function nameHeader(written: string): string {
  const name = written
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/_/g, '-')
    .toLowerCase()
  if (NEVER_SENT.test(name)) throw invalid(`headers.${name}`, 'may not be sent')
  return name === 'api-key' ? 'headers.apiKey' : `headers.${name}`
}
