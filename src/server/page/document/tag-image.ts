import {
  DECORATIVE,
  DECORATIVE_SUBDOMAIN,
  LAZY_PLACEHOLDER,
  LOGO,
  LOGO_SUBDOMAIN,
  BADGE_HOSTS,
} from '../fields/image-words.js'
import type { Attributes } from './metadata-sources.js'

const HOST = /^(?:https?:)?\/\/([^/?#]*)/i
const ANIMATION = /\.gif(?:[?#]|$)/i
/** What scripts that load images late call the image, and its set of images. */
const LAZY_SOURCES = [
  'data-src',
  'data-original',
  'data-lazy-src',
  'data-lazy',
  'data-lazyload',
  'data-large-file',
  'data-orig-file',
  'data-full-src',
  'data-hi-res-src',
  'data-old-hires',
  'data-large_image',
  'data-large-image',
  'data-image-large-src',
  'data-zoom-image',
  'data-lazy-image',
  'data-echo',
] as const
const LAZY_SETS = ['data-srcset', 'data-lazy-srcset', 'data-original-set'] as const
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
  const isSmall = lengths.some((length) => length < MIN_PX) || (ANIMATION.test(url) && !(lengths[0]! >= MIN_PX))
  return isSmall || DECORATIVE.test(hints) || DECORATIVE_SUBDOMAIN.test(host) ? undefined : { kind: 'image', url }
}

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
