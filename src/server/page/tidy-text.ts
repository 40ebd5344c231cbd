import { Parser } from 'htmlparser2'

const INVISIBLE = /[\u00AD\u200B\u2060\uFEFF]/g
const ENTITY = /&(#\d+|#x[\da-f]+|[a-z][a-z\d]+);/i

/**
 * Makes a text that a page wrote one that people read: entities that were escaped twice decoded, whitespace collapsed, cut at
 * `maxChars` with an ellipsis.
 *
 * @returns  `undefined` when nothing is left.
 */
export function tidyText(text: string, maxChars: number): string | undefined {
  const tidy = (ENTITY.test(text) ? decodeEntities(text) : text).replace(INVISIBLE, '').replace(/\s+/g, ' ').trim()
  if (tidy.length <= maxChars) return tidy || undefined
  // No character is cut in half.
  return `${tidy
    .slice(0, maxChars - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`
}

const MAX_NAME_CHARS = 120
const BY = /^((written|posted|published) )?by[:\s]+/i

/**
 * Makes a text the name of a person or a house: without "By", and without what stands beside the name after a bullet.
 *
 * @returns  `undefined` for an address, a number, or what is too long to be a name.
 */
export function tidyName(text: string): string | undefined {
  const name = tidyText(text, MAX_NAME_CHARS * 2)
    ?.replace(BY, '')
    .split(/\s[•·|]\s/, 1)
    .join()
  if (!name || name.length > MAX_NAME_CHARS || /^((https?:)?\/\/|www\.)/i.test(name) || !/\p{L}/u.test(name))
    return undefined
  return name
}

function decodeEntities(text: string): string {
  let decoded = ''
  const parser = new Parser({ ontext: (part) => (decoded += part) })
  parser.end(text.replaceAll('<', '&lt;'))
  return decoded
}
