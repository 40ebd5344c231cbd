import { hasLongHost } from '../../query/help/index.js'

/**
 * Parses a URL of a page.
 *
 * @param base  Absolute URL, for a relative one.
 * @returns     `undefined` for a text that is not a URL, and for a host of 1,000 characters and more.
 */
export function parseUrl(text: string, base: string): URL | undefined {
  return hasLongHost(text) || !URL.canParse(text, base) ? undefined : new URL(text, base)
}
