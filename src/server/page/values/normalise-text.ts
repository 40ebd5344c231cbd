import { Parser } from 'htmlparser2'
import { isPlaceholder } from './is-placeholder.js'

const INVISIBLE = /[\u00AD\u200B\u2060\uFEFF]/g
/** A quote that is escaped as in source code. */
const ESCAPED_QUOTE = /\\(['"])/g
const ENTITY = /&(#\d+|#x[\da-f]+|[a-z][a-z\d]+);/i

/**
 * Normalises a text for display: decodes entities and quotes that were escaped twice, collapses whitespace, and truncates to `maxChars` with
 * an ellipsis.
 *
 * @returns  `undefined` for an empty text.
 */
export function normaliseText(text: string, maxChars: number): string | undefined {
  const normalised = decodeEntities(text)
    .replace(INVISIBLE, '')
    .replace(ESCAPED_QUOTE, '$1')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return normalised.length <= maxChars ? normalised || undefined : truncate(normalised, maxChars)
}

const MAX_NAME_CHARS = 120

/**
 * Normalises the name of an organisation: without what follows the name after a bullet or bar.
 *
 * @returns  `undefined` for a URL, a number, a placeholder, or a text that is too long for a name.
 */
export function normaliseOrganisation(text: string): string | undefined {
  const name = normaliseText(text, MAX_NAME_CHARS * 2)
    ?.split(/\s[•·|]\s/, 1)
    .join()
  if (!name || name.length > MAX_NAME_CHARS || isPlaceholder(name)) return undefined
  return /^((https?:)?\/\/|www\.)/i.test(name) || !/\p{L}/u.test(name) ? undefined : name
}

function truncate(text: string, maxChars: number): string {
  const withoutHalfCharacter = text.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${withoutHalfCharacter.trimEnd()}…`
}

/** Decodes entities that are left in a text, because they were escaped twice. */
export function decodeEntities(text: string): string {
  if (!ENTITY.test(text)) return text
  let decoded = ''
  const parser = new Parser({ ontext: (part) => (decoded += part) })
  parser.end(text.replaceAll('<', '&lt;'))
  return decoded
}
