/** A comment fills its line, or follows white space, because a URL may contain `#`. */
const COMMENT = /(^|\s)#.*/

/** The entries of a list with one URL per line, without comments and blank lines. */
export function parseUrlList(text: string): string[] {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.replace(COMMENT, '').trim())
    .filter(Boolean)
}
