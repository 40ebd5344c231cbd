import { fields } from './fields.js'
import { invalidParameter } from './invalid-parameter.js'

export const MAX_NAME_CHARS = 255
/** Names that could reach a prototype when a nested object is built from them. */
const UNSAFE_NAME = /(^|\.)(__proto__|constructor|prototype)(\.|$)/i
/** The last segment is chosen by the caller and is not folded. */
const FIELD_SWITCH = /^(ping|meta)\../
const LIST_ITEM = /^(element|click|styles|filter)\.\d+$/

/**
 * The canonical name of a parameter in any accepted spelling; sub-keys and list indices stay part of it (`headers.user-agent`,
 * `ping.audio`, `click.0`).
 *
 * @returns  `undefined` for a parameter that the language does not have.
 * @throws   {PageError} `EINVALQUERY` for a name that is too long or could reach a prototype.
 */
export function canonicalName(name: string): string | undefined {
  if (name.length > MAX_NAME_CHARS || UNSAFE_NAME.test(name)) throw invalidParameter(name.slice(0, 99), 'is invalid')
  if (/^headers\../.test(name)) return headerName(name)
  if (FIELD_SWITCH.test(name)) return name
  const camelCased = name.replace(/[-_][a-z]/g, (pair) => pair[1]!.toUpperCase())
  const flat = camelCased.replace(/^screenshot\.(?=element(\.|$)|overlay\.)/, '')
  if (LIST_ITEM.test(flat)) return flat
  return [flat, `screenshot.${flat}`].find((known) => Object.hasOwn(fields, known))
}

/** Header names are equal in every case and spelling; `apiKey` is the service's own and keeps its name. */
function headerName(name: string): string {
  const kebabCased = name.replace(/(?<=[a-z])(?=[A-Z])|_/g, '-').toLowerCase()
  return kebabCased === 'headers.api-key' ? 'headers.apiKey' : kebabCased
}
