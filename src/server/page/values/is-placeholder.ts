const MAX_CHARS = 200

/** What programs write in place of a missing value. */
const WORDS =
  /^(undefined|null|nil|nan|none|n\/?a|fail(ed)?|false|true|todo|tbd|unknown|not (set|found|available)|default|empty|string|placeholder|\(no title\)|no (title|author|description)|(your|my) (site|website|name) ?(name|title|here)?|[-–—.…_?*#\s]+)$/i

/** Templates that were not filled in, objects that were converted to text, and filler text. */
const TEMPLATES = ['{{', '}}', '{%', '<%', '%>', '${', '[object ', 'lorem ipsum']

/** Whether a text stands for a value that is missing: `undefined`, `{{title}}`, `%title%`, `[object Object]`, `Lorem ipsum`. */
export function isPlaceholder(text: string): boolean {
  const start = text.slice(0, MAX_CHARS).trim().toLowerCase()
  return WORDS.test(start) || TEMPLATES.some((mark) => start.includes(mark)) || /^%[\w.%]+%$/.test(start)
}

const MISSING_SEGMENTS = new Set(['undefined', 'null', 'nan'])
const URL_TEMPLATES = ['{{', '%7b%7b', '${', '$%7b', '[object', '%5bobject']

/**
 * Whether a URL was built from a missing value.
 *
 * @param pageUrl  Of the page that states it: what is in there is no mistake, as in an article about `NaN`.
 */
export function isPlaceholderUrl(href: string, pageUrl: string): boolean {
  const path = pathOf(href)
  const segment = lastSegment(path)
  const isMissing = MISSING_SEGMENTS.has(segment) && segment !== lastSegment(pathOf(pageUrl))
  return isMissing || (URL_TEMPLATES.some((mark) => path.includes(mark)) && path !== pathOf(pageUrl))
}

const pathOf = (href: string) => href.split(/[?#]/, 1).join().toLowerCase()
const lastSegment = (path: string) => path.split('/').at(-1)!
