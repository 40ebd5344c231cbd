import { canParseUrl } from '../../../query/written-url.js'
import { hasLongHost } from '../../../query/help/index.js'
import { decodeImageUrl } from '../data-url.js'

const MAX_URL_CHARS = 8_192

/**
 * Parses a URL of a page.
 *
 * @param base  Absolute URL, for a relative one.
 * @returns     `undefined` for a text that is not a URL, and for a host of 1,000 characters and more.
 */
export function parseUrl(text: string, base: string): URL | undefined {
  return hasLongHost(text) || !canParseUrl(text, base) ? undefined : new URL(text, base)
}

/** A part of a URL without its escapes; literal percent signs, and escapes that are not UTF-8, stay as they are. */
export function decodeUrlPart(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })
}

/** The URL of a page, and the one that its relative URLs are resolved with. */
interface PageUrls {
  url: string
  baseUrl: string
}

/**
 * Resolves a URL as a page writes it: with spaces, with line breaks, escaped once too often, without its scheme, in quotes, behind the
 * origin of the page, or in a list, of which the first counts.
 *
 * @returns  An absolute http(s) URL of at most 8,192 characters; `undefined` for any other text.
 */
export function resolveUrl(text: string, { baseUrl, url: pageUrl }: PageUrls): string | undefined {
  if (text.length > MAX_URL_CHARS) return undefined
  const url = firstOfList(withSingleEscapes(text.replace(/[\t\n\r]+/g, '').trim()))
  // A single word or a sentence would resolve as a relative URL too.
  if (!/[./]/.test(url) || (/\s/.test(url) && !ROOTED.test(url) && !FILE.test(url.split(/[?#]/, 1).join())))
    return undefined
  const { protocol = '', href = '' } = parseUrl(withHost(url, baseUrl), baseUrl) ?? {}
  return /^https?:$/.test(protocol) && href.length <= MAX_URL_CHARS && !isPlaceholderUrl(href, pageUrl)
    ? href
    : undefined
}

/** The same for an icon, which may also be in the URL itself: a `data:` URL of an image that browsers draw. */
export function resolveIconUrl(text: string, page: PageUrls): string | undefined {
  const url = text.trim()
  if (!/^data:/i.test(url)) return resolveUrl(text, page)
  return decodeImageUrl(url) ? `data:${url.slice(5)}` : undefined
}

const ROOTED = /^(?:https?:\/|\.{0,2})\//i
/** `pictures/the old quay.jpg`, unlike a sentence. */
const FILE = /\.(?:jpe?g|png|gif|webp|avif|svg|ico|mp[34])$/i

/** Templates escape `&` twice, and JSON is not HTML; no URL has `&amp;` on purpose. */
const withSingleEscapes = (url: string) =>
  url.includes('&')
    ? url.replace(AMPERSAND, '&').replace(ASCII, (_, hex = '', decimal = '') => charOf(hex, decimal))
    : url

const AMPERSAND = /&(?:amp|#0{0,3}38|#x0{0,2}26);(?:amp;)*/gi
/** Some programs escape all punctuation: `https:&#x2F;&#x2F;`. */
const ASCII = /&#(?:x0{0,2}([2-7][\da-f])|0{0,2}(3[2-9]|[4-9]\d|1[01]\d|12[0-6]));/gi
const charOf = (hex: string, decimal: string) => String.fromCharCode(hex ? Number.parseInt(hex, 16) : Number(decimal))

const QUOTED = /^\[?\s?["'“”]([^"'“”]+)/
const NEXT_OF_LIST = /[\s,;|](?=https?:\/\/)/i
const SEPARATORS = /[\s,;|]{1,4}$/
/** An origin in front of a whole URL, of which only the host may be missing. */
const DOUBLED_ORIGIN = /^https?:\/{0,2}[^/?#]*(?=https?:\/\/)/i

function firstOfList(text: string): string {
  const [, quoted] = QUOTED.exec(text) ?? []
  const list = quoted ?? text
  const next = NEXT_OF_LIST.exec(list)?.index
  const first = list.slice(0, next).replace(SEPARATORS, '')
  // Services that fetch a file have its URL within theirs, behind parameters with commas.
  const isList = next !== undefined && (/\s/.test(list.charAt(next)) || FILE.test(first.split(/[?#]/, 1).join()))
  return (isList ? first : list).trim().replace(DOUBLED_ORIGIN, '')
}

/** Some pages leave out the scheme: `www.courier.example/story`. */
function withHost(url: string, baseUrl: string): string {
  const [first = ''] = url.toLowerCase().split(/[/?#]/, 1)
  const isHost = /^www\.[^.]+\.[^.]/.test(first) || first === new URL(baseUrl).host
  return isHost ? `//${url}` : url
}

const MISSING_SEGMENTS = new Set(['undefined', 'null', 'nan'])
const URL_TEMPLATES = ['{{', '%7b%7b', '${', '$%7b', '[object', '%5bobject']

/**
 * Whether a URL was built from a missing value.
 *
 * @param pageUrl  Of the page that states it: what is in there is no mistake, as in an article about `NaN`.
 */
function isPlaceholderUrl(href: string, pageUrl: string): boolean {
  const path = pathOf(href)
  const segment = lastSegment(path)
  const isMissing = MISSING_SEGMENTS.has(segment) && segment !== lastSegment(pathOf(pageUrl))
  return isMissing || (URL_TEMPLATES.some((mark) => path.includes(mark)) && path !== pathOf(pageUrl))
}

const pathOf = (href: string) => href.split(/[?#]/, 1).join().toLowerCase()
const lastSegment = (path: string) => path.split('/').at(-1)!
