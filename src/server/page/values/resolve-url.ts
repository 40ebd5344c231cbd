import type { MetadataSources } from '../document/index.js'
import { decodeImageUrl } from '../data-url.js'
import { parseUrl } from '../parse-url.js'
import { isPlaceholderUrl } from './is-placeholder.js'

const MAX_URL_CHARS = 8_192

/**
 * Resolves a URL as a page writes it: with spaces, with line breaks, escaped once too often, without its scheme.
 *
 * @returns  An absolute http(s) URL of at most 8,192 characters; `undefined` for any other text.
 */
export function resolveUrl(
  text: string,
  { baseUrl, url: pageUrl }: Pick<MetadataSources, 'baseUrl' | 'url'>,
): string | undefined {
  if (text.length > MAX_URL_CHARS) return undefined
  const url = withSingleEscapes(text.replace(/[\t\n\r]+/g, '').trim())
  // A single word or a sentence would resolve as a relative URL too.
  if (!/[./]/.test(url) || (/\s/.test(url) && !ROOTED.test(url) && !FILE.test(url.split(/[?#]/, 1).join())))
    return undefined
  const { protocol = '', href = '' } = parseUrl(withHost(url, baseUrl), baseUrl) ?? {}
  return /^https?:$/.test(protocol) && href.length <= MAX_URL_CHARS && !isPlaceholderUrl(href, pageUrl)
    ? href
    : undefined
}

/** The same for an icon, which may also be in the URL itself: a `data:` URL of an image that browsers draw. */
export function resolveIconUrl(text: string, page: Pick<MetadataSources, 'baseUrl' | 'url'>): string | undefined {
  const url = text.trim()
  if (!/^data:/i.test(url)) return resolveUrl(text, page)
  return decodeImageUrl(url) ? `data:${url.slice(5)}` : undefined
}

const ROOTED = /^(?:https?:\/|\.{0,2})\//i
/** `pictures/the old quay.jpg`, unlike a sentence. */
const FILE = /\.(?:jpe?g|png|gif|webp|avif|svg|ico|mp[34])$/i

/** Templates escape `&` twice, and JSON is not HTML; no URL has `&amp;` on purpose. */
const withSingleEscapes = (url: string) =>
  url.includes('&') ? url.replace(/&(?:amp|#0{0,3}38|#x0{0,2}26);(?:amp;)*/gi, '&') : url

/** Some pages leave out the scheme: `www.courier.example/story`. */
function withHost(url: string, baseUrl: string): string {
  const [first = ''] = url.toLowerCase().split(/[/?#]/, 1)
  const isHost = /^www\.[^.]+\.[^.]/.test(first) || first === new URL(baseUrl).host
  return isHost ? `//${url}` : url
}
