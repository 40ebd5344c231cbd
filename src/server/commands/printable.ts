/** Control characters, which terminals obey, and invisible ones, which reorder or hide text. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu
const DEFAULT_MAX_CHARS = 300

/**
 * Untrusted text in a form that is safe to print on a terminal, on one line.
 *
 * @param maxChars  Longer text ends in an ellipsis.
 */
export function printable(text: string, maxChars = DEFAULT_MAX_CHARS): string {
  const line = text.slice(0, maxChars + 1).replace(UNPRINTABLE, ' ')
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line
}
