import { Parser } from 'htmlparser2'

const INVISIBLE = /[\u00AD\u200B\u2060\uFEFF]/g
const ENTITY = /&(#\d+|#x[\da-f]+|[a-z][a-z\d]+);/i

/**
 * Normalises a text for display: decodes entities that were escaped twice, collapses whitespace, and truncates to `maxChars` with
 * an ellipsis.
 *
 * @returns  `undefined` for an empty text.
 */
export function normaliseText(text: string, maxChars: number): string | undefined {
  const decoded = ENTITY.test(text) ? decodeEntities(text) : text
  const normalised = decoded.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim()
  return normalised.length <= maxChars ? normalised || undefined : truncate(normalised, maxChars)
}

const MAX_NAME_CHARS = 120
const BY = /^((written|posted|published) )?by[:\s]+/i

/**
 * Normalises the name of a person or an organisation: without "By", and without what follows the name after a bullet or bar.
 *
 * @returns  `undefined` for a URL, a number, or a text that is too long for a name.
 */
export function normaliseName(text: string): string | undefined {
  const name = normaliseText(text, MAX_NAME_CHARS * 2)
    ?.replace(BY, '')
    .split(/\s[•·|]\s/, 1)
    .join()
  if (!name || name.length > MAX_NAME_CHARS || /^((https?:)?\/\/|www\.)/i.test(name) || !/\p{L}/u.test(name))
    return undefined
  return name
}

function truncate(text: string, maxChars: number): string {
  const withoutHalfCharacter = text.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${withoutHalfCharacter.trimEnd()}…`
}

function decodeEntities(text: string): string {
  let decoded = ''
  const parser = new Parser({ ontext: (part) => (decoded += part) })
  parser.end(text.replaceAll('<', '&lt;'))
  return decoded
}
