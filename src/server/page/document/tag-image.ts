import {
  DECORATIVE,
  DECORATIVE_SUBDOMAIN,
  LAZY_PLACEHOLDER,
  LOGO,
  LOGO_SUBDOMAIN,
  BADGE_HOSTS,
  PATTERN_FILE,
} from '../fields/image-words.js'
import type { Attributes } from './metadata-sources.js'

const HOST = /^(?:https?:)?\/\/([^/?#]*)/i
const ANIMATION = /\.gif(?:[?#]|$)/i
const names = (list: string) => list.split(' ')

/** What scripts that load images late, and shops that enlarge them, call the image, and its set of images. */
const LAZY_SOURCES = names(
  'data-src data-original data-lazy-src data-lazy data-lazyload data-large-file data-orig-file data-full-src data-hi-res-src data-echo data-old-hires data-large_image data-large-image data-image-large-src data-zoom-image data-lazy-image data-hires data-orig-src data-cfsrc data-pagespeed-lazy-src data-ezsrc data-lazy-load-src data-defer-src data-wpfc-original-src data-nectar-img-src data-flickity-lazyload data-splide-lazy nitro-lazy-src data-actualsrc',
)
const LAZY_SETS = names(
  'data-srcset data-lazy-srcset data-original-set data-orig-srcset data-ezsrcset data-splide-lazy-srcset nitro-lazy-srcset',
)
/** What scripts call the background that they set late. */
const LAZY_BACKGROUNDS = names(
  'data-bg data-background data-background-image data-bg-image data-bg-src data-bg-url data-background-url data-background-src data-lazy-background data-lazy-bg data-bg-multi data-bgset data-setbg data-image-src data-nectar-img-src data-vc-parallax-image data-dbg',
)
const MIN_PX = 150
/** The `<source>` of a picture that is as wide has the real image if its `<img>` states no set. */
const WIDE_PX = 640
const MAX_SRCSET_CHARS = 8_000
const MAX_DESCRIPTOR_CHARS = 40
const MAX_URL_CHARS = 4_000

export interface TagImage {
  kind: 'image' | 'logo'
  url: string
}

/**
 * Reads the image of an `<img>`, also if a script loads it later; `undefined` if it is small or decorative.
 *
 * @param pictureSet  `srcset` of the `<source>` before it in its `<picture>`.
 */
export function readImage(attributes: Attributes, pictureSet?: string): TagImage | undefined {
  const { class: classes = '', id = '', alt = '', width, height } = attributes
  const url = sourceOf(attributes, pictureSet)
  if (!url) return undefined
  const [, host = ''] = HOST.exec(url) ?? []
  const hints = `${url.replace(HOST, '')} ${classes} ${id} ${alt}`
  if (BADGE_HOSTS.has(host.toLowerCase())) return undefined
  if (LOGO.test(hints) || LOGO_SUBDOMAIN.test(host)) return { kind: 'logo', url }
  const lengths = [width, height].map(pixelsOf)
  const isSmall =
    (lengths.some((length) => length < MIN_PX) && !isWide(lengths)) || (ANIMATION.test(url) && !(lengths[0]! >= MIN_PX))
  return isSmall || DECORATIVE.test(hints) || DECORATIVE_SUBDOMAIN.test(host) ? undefined : { kind: 'image', url }
}

/**
 * Reads the image of a `<picture>` that its `<img>` does not state as its own, which may be a blurred one that keeps the place.
 *
 * @param pictureSet  See `readImage`.
 */
export const readPicture = (attributes: Attributes, pictureSet: string | undefined): TagImage | undefined =>
  pictureSet === undefined ? undefined : readImage({ ...attributes, src: '' }, pictureSet)

/**
 * Reads the image behind the content of an element, by its `style` or by what a script makes of its attributes; `undefined` if it has
 * none, or one that only decorates, such as a pattern.
 */
export function readBackground(attributes: Attributes): string | undefined {
  const url = backgroundOf(attributes)
  if (url === undefined || !isImageUrl(url)) return undefined
  const [, host = ''] = HOST.exec(url) ?? []
  const path = url.replace(HOST, '').split(/[?#]/, 1).join()
  const isDecorative = [DECORATIVE, LOGO, PATTERN_FILE].some((pattern) => pattern.test(path))
  return isDecorative || DECORATIVE_SUBDOMAIN.test(host) ? undefined : url
}

function backgroundOf(attributes: Attributes): string | undefined {
  const { style = '' } = attributes
  if (style.includes('url(')) return backgroundInStyle(style.slice(0, MAX_STYLE_CHARS))
  for (const name of LAZY_BACKGROUNDS) {
    const value = attributes[name]?.slice(0, MAX_STYLE_CHARS)
    const url = value && (urlInCss(value) ?? largestOf(value))
    // Other values are colours and names of styles.
    if (url && (ROOTED.test(url) || IMAGE_FILE.test(url.split(/[?#]/, 1).join()))) return url
  }
  return undefined
}

/** The URL of a background that is not repeated: tiles are patterns. */
function backgroundInStyle(style: string): string | undefined {
  const values = new Map<string, string>()
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':')
    values.set(declaration.slice(0, colon).trim().toLowerCase(), declaration.slice(colon + 1))
  }
  const read = (name: string) => values.get(name) ?? ''
  const words = `${read('background')} ${read('background-repeat')}`.toLowerCase().split(/\s+/)
  if (words.some((word) => REPEATS.has(word))) return undefined
  return urlInCss(read('background-image')) ?? urlInCss(read('background'))
}

/** `/a.jpg` of `linear-gradient(red, blue), url("/a.jpg")`. */
function urlInCss(value: string): string | undefined {
  const start = value.indexOf('url(')
  const end = value.indexOf(')', start)
  const url = start < 0 || end < 0 ? '' : value.slice(start + 4, end).trim()
  return (/^(["']).*\1$/.test(url) ? url.slice(1, -1) : url) || undefined
}

const MAX_STYLE_CHARS = 4_000
const REPEATS = new Set(['repeat', 'repeat-x', 'repeat-y'])
const ROOTED = /^(?:https?:)?\//i
const IMAGE_FILE = /\.(?:jpe?g|png|webp|avif)$/i

/** Whether an image is large enough although one of its sides is short: those in boxes of facts are 220 pixels wide. */
const isWide = (lengths: readonly number[]) => Math.max(...lengths) >= 200 && Math.min(...lengths) >= 100

/** `NaN` for a length that depends on the size of something else: `100%`. */
const pixelsOf = (length = '') =>
  /%|em|v[wh]/i.test(length.slice(0, MAX_DESCRIPTOR_CHARS)) ? NaN : Number.parseInt(length)

/** The largest image of its set, which browsers choose on large screens, or else its own; what a script loads later comes first. */
function sourceOf(attributes: Attributes, pictureSet: string | undefined): string | undefined {
  const sets = [...LAZY_SETS.map((name) => attributes[name]), attributes.srcset]
  const lazySources = LAZY_SOURCES.map((name) => attributes[name])
  const urls = [
    ...sets.map((set) => largestOf(set)),
    largestOf(pictureSet, WIDE_PX),
    ...lazySources,
    attributes.src,
    largestOf(pictureSet),
  ]
  const url = urls.find((url) => url && isImageUrl(url)) ?? attributes.src
  // Scripts of Shopify themes insert one of several widths.
  return url?.replace('{width}', '1080')
}

const isImageUrl = (url: string) => url.length <= MAX_URL_CHARS && /[./]/.test(url) && !LAZY_PLACEHOLDER.test(url)

/**
 * The image of a `srcset` with the largest width or density; of several, the first.
 *
 * @param minSize  The least width or density.
 * @see https://html.spec.whatwg.org/multipage/images.html#parsing-a-srcset-attribute
 */
function largestOf(srcset: string | undefined, minSize = 0): string | undefined {
  if (!srcset) return undefined
  const text = srcset.slice(0, MAX_SRCSET_CHARS)
  let best: { url: string; size: number } | undefined
  for (let at = 0; at < text.length;) {
    while (/[\s,]/.test(text.charAt(at))) at++
    const start = at
    while (at < text.length && !/\s/.test(text.charAt(at))) at++
    let end = at
    // A URL may contain commas, but not end with one.
    while (end > start && text.charAt(end - 1) === ',') end--
    const isAlone = end < at
    const comma = isAlone ? at : indexOrEnd(text, ',', at)
    const size = isAlone ? 1 : sizeOf(text.slice(at, Math.min(comma, at + MAX_DESCRIPTOR_CHARS)))
    const url = text.slice(start, end)
    if (url && isImageUrl(url) && (!best || size > best.size)) best = { url, size }
    at = comma
  }
  return best && best.size >= minSize ? best.url : undefined
}

/** `900w`, `2x`; without any, `1x`. */
const sizeOf = (descriptor: string): number =>
  Number(/(?:^|\s)(\d{1,6}(?:\.\d{1,6})?)[wx](?:\s|$)/i.exec(descriptor)?.[1] ?? 1)

const indexOrEnd = (text: string, part: string, from: number) => {
  const index = text.indexOf(part, from)
  return index < 0 ? text.length : index
}
