import { Parser } from 'htmlparser2'
import { decodeHtml } from '../../charset.js'
import { parseUrl } from '../values/index.js'
import type { FinalResponse } from './follow-redirects.js'
import { decodeLocation } from './follow-redirects.js'

/** A page that shows itself for longer is meant to be read; "You will be redirected in 5 seconds" is not. */
const MAX_DELAY_S = 5
/** A page that loads itself again is a live one, such as a table of scores, unless it does so at once, for a cookie. */
const MAX_RELOAD_DELAY_S = 1
/** A browser stays on the page while it downloads such a file. */
const DOWNLOAD = /\.(?:7z|apk|appimage|bz2|deb|dmg|exe|gz|iso|jar|msi|pkg|rar|rpm|tar|tgz|xz|zip)$/i
/** Pages that only lead to another one are short, and their head comes first. */
const MAX_BYTES = 100_000
const MAX_VALUE_CHARS = 8_192
/** The parser searches its list of open elements with every closing tag. */
const MAX_DEPTH = 256
/** Elements whose markup has no effect in a browser that runs scripts. */
const INERT_TAGS = new Set(['noscript', 'template', 'svg', 'math', 'iframe', 'noembed', 'noframes', 'xmp'])

/** A page that sends its visitors on. */
export interface Refresh {
  delayS: number
  /** Where it leads. */
  url: string
  /** Whether that is the page itself, which has set no cookie meanwhile. */
  isReload: boolean
}

/** Whether a refresh is followed, and the page that it leads to is the one of the result: in its metadata and in its screenshot. */
export const isFollowedRefresh = ({ delayS, url, isReload }: Refresh): boolean =>
  delayS <= (isReload ? MAX_RELOAD_DELAY_S : MAX_DELAY_S) && !DOWNLOAD.test(parseUrl(url, url)?.pathname ?? '')

/**
 * Finds where a page sends its visitors after a short delay, by its `refresh` header or by `<meta http-equiv="refresh">`.
 *
 * @returns  `undefined` if it does not, or if the URL is neither http nor https: a browser then stays on the page.
 * @see      https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
 */
export function findRefresh(
  { url, headers }: Pick<FinalResponse, 'url' | 'headers'>,
  html: Uint8Array,
): URL | undefined {
  const header = decodeLocation(headers.refresh)
  const { content, base = '' } =
    header === undefined ? findMeta(html, String(headers['content-type'] ?? '')) : { content: header }
  const refresh = content === undefined ? undefined : parseRefresh(content)
  if (refresh === undefined) return undefined
  const next = parseUrl(refresh.target, (base && parseUrl(base, url)?.href) || url)
  if (!next || !/^https?:$/.test(next.protocol)) return undefined
  // The same page is fetched again only if its cookies have changed, which is known to whoever fetches it.
  if (!isFollowedRefresh({ delayS: refresh.delayS, url: next.href, isReload: false })) return undefined
  if (!next.hash) next.hash = new URL(url).hash
  return next
}

function findMeta(bytes: Uint8Array, contentType: string): { content?: string; base?: string } {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAX_BYTES))
  if (!/http-equiv[\s=]/i.test(start.toString('latin1')) && !start.includes(0)) return {}
  let content: string | undefined
  let base: string | undefined
  let inert = 0
  let depth = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      if (++depth > MAX_DEPTH) parser.pause()
      if (INERT_TAGS.has(name)) inert++
      if (inert > 0) return
      if (name === 'base') base ??= attributes.href
      if (name !== 'meta' || attributes['http-equiv']?.trim().toLowerCase() !== 'refresh') return
      content = attributes.content
      if (content !== undefined) parser.pause()
    },
    onclosetag(name) {
      depth--
      if (INERT_TAGS.has(name)) inert--
    },
  })
  parser.end(decodeHtml(start, contentType))
  return { ...(content !== undefined && { content }), ...(base !== undefined && { base }) }
}

/** @returns  The URL as it is written, without quotes, `''` for the page itself; `undefined` for an invalid value. */
function parseRefresh(value: string): { delayS: number; target: string } | undefined {
  const [, seconds, separated, rest = ''] =
    /^\s*(\d{0,9})(?:\.[\d.]*)?(\s*[;,]|\s|$)(.*)$/s.exec(value.slice(0, MAX_VALUE_CHARS)) ?? []
  if (separated === undefined || (seconds === '' && !/^\s*\./.test(value))) return undefined
  const target = rest.replace(/^\s*url\s*=\s*/i, '').trim()
  const [, quote = ''] = /^(["'])/.exec(target) ?? []
  return { delayS: Number(seconds), target: quote ? target.slice(1).split(quote, 1).join() : target }
}
