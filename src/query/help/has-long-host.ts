import { queryLimits } from './parameter-help.js'

/** Of a URL, or the first segment of a relative path. */
const HOST = /^[\0- ]*(?:[a-z][a-z\d+.-]*:)?[\\/]*([^\\/?#]*)/i
/** URL parsers ignore them everywhere, even within `https://`. */
const IGNORED = /[\t\n\r]/g

/**
 * Whether the host of a URL from outside is too long to be parsed. No host is longer than 253 characters, decoded; the time in which
 * URL parsers sort combining characters of a host grows with the square of their number.
 */
export const hasLongHost = (url: string): boolean =>
  HOST.exec(url.replace(IGNORED, ''))![1]!.length > queryLimits.hostChars
