import { queryLimits } from '../../query/help/index.js'

/** The host, or the first segment of a relative path. */
const HOST = /^(?:[a-z]*:)?[\\/]*([^\\/?#]*)/i

/**
 * Parses a URL of a page.
 *
 * @param base  Absolute URL, for a relative one.
 * @returns     `undefined` for a text that is not a URL, and for a host of 1,000 characters and more.
 */
export function parseUrl(text: string, base: string): URL | undefined {
  // URL parsers sort the combining characters of a host in quadratic time.
  if (HOST.exec(text.trim())![1]!.length > queryLimits.hostChars || !URL.canParse(text, base)) return undefined
  return new URL(text, base)
}
