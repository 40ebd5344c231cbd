/**
 * What the owner of a page does not want of it: `noscreenshot`, no screenshot; `none`, no preview at all.
 */
export type OptOut = 'noscreenshot' | 'none'

/** The name of the `<meta>` element, and after `x-` that of the response header, which is for files and for whole sites. */
export const OPT_OUT_NAME = 'page-preview'
export const OPT_OUT_HEADER = `x-${OPT_OUT_NAME}`

const MAX_CHARS = 1_000

/**
 * Reads what a page says, in all of its `<meta>` elements and headers together; the strictest counts.
 *
 * @param contents  Words that are separated by commas or spaces, such as `noscreenshot`; others mean nothing.
 */
export function parseOptOut(...contents: readonly (string | undefined)[]): OptOut | undefined {
  const words = new Set(contents.flatMap((content = '') => content.slice(0, MAX_CHARS).toLowerCase().split(/[\s,]/)))
  if (words.has('none')) return 'none'
  return words.has('noscreenshot') ? 'noscreenshot' : undefined
}

/** The stricter of what a page says as it was fetched, and as a browser shows it. */
export const strictest = (...optOuts: readonly (OptOut | undefined)[]): OptOut | undefined => parseOptOut(...optOuts)
