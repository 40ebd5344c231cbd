import { fields, type ParameterName } from './fields.js'
import { refuseWord } from './refuse-word.js'

/**
 * The canonical name of a word in any accepted spelling, with the part that a user chose (`headers.user-agent`, `ping.audio`) or
 * the place in a list (`click.0`).
 *
 * @returns  `undefined` for a word that the language does not have.
 * @throws   {PageError} `EINVALQUERY` for a name that could reach a prototype.
 */
export function nameWord(written: string): string | undefined {
  if (/(^|\.)(__proto__|constructor|prototype)(\.|$)/i.test(written)) refuseWord(written, 'is unknown')
  if (/^headers\../.test(written))
    return written
      .replace(/(?<=[a-z])(?=[A-Z])|_/g, '-')
      .toLowerCase()
      .replace(/\.api-key$/, '.apiKey')
  const name = written
    .replace(/[-_][a-z]/g, (pair) => pair[1]!.toUpperCase())
    .replace(/^screenshot\.(?=element|overlay)/, '')
  if (/^(click|styles|filter)\.\d+$|^(ping|meta)\../.test(name)) return name
  // Not by `in`: the table inherits names like toString, which have no type.
  return [name, `screenshot.${name}`].find((known) => fields[known as ParameterName]?.type)
}
