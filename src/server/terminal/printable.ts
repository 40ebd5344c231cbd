/** Control characters, which terminals obey, and invisible ones, which reorder or hide text. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu
const DEFAULT_MAX_CHARS = 300

/**
 * Text of strangers in a form that a terminal prints as it is, on one line.
 *
 * @param maxChars  Longer text ends in an ellipsis.
 */
export function printable(text: string, maxChars = DEFAULT_MAX_CHARS): string {
  const line = text.slice(0, maxChars + 1).replace(UNPRINTABLE, ' ')
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line
}
