import { fields, type Media, type PageData, type Screenshot } from '../query/index.js'
import type { Embed } from './preview-request.js'

/** The image of a card, as an `<img>` needs it. */
export interface CardImage {
  /** URL of the image; of the service if it delivers the image. */
  src: string
  /** Smaller variants as WebP; `undefined` for images that the service does not deliver. */
  srcSet: string | undefined
  /** Shown when `src` cannot be loaded. */
  fallbackSrc: string | undefined
  /** The image's own pixels; 1280 × 800 until they are known. */
  width: number
  /** As `width`. */
  height: number
  /** Dominant colour, `#rrggbb`. */
  background: string | undefined
  /** Whether it is the screenshot; else it is the page's own image. */
  isScreenshot: boolean
  /** The image's entry in the page's data. */
  media: Media | (Screenshot & { alt?: undefined }) | undefined
}

/** What tells the images of a revalidated result from the first ones. */
interface RevalidatedResult {
  /** Data of the first result. */
  first?: PageData | undefined
  cache: {
    /** When the current result was produced, milliseconds since 1970. */
    timestamp: number | undefined
  }
}

/** The widths in pixels in which the service offers a stored image: `?w=640`. An image is never enlarged. */
export const imageWidths = fields['variant.width'].values

/** Until the dimensions of an image are known: the viewport of the default device, in CSS pixels. */
export const defaultImageSize = { width: 1280, height: 800 } as const
/** Assumed for an embedded image, whose real width is unknown until it loads: a screenshot by the default device has it. */
const EMBEDDED_WIDTH = 2 * defaultImageSize.width
const STORED_IMAGE = /\/images\/[\da-f]{64}\.\w+$/
/** A signature covers every parameter of the language, so none can be added; a URL of a variant has its parameters already. */
const WITHOUT_VARIANTS = /&(signature=|variant\.)/

/**
 * Chooses the image of a card: the embedded one, else the page's screenshot, else its own image.
 *
 * A revalidated image has no `srcSet`: it was decoded before it is swapped in, and another variant would have to be
 * downloaded first.
 *
 * @param embed   The image that the service delivers by URL; takes precedence over the one in the data.
 * @param result  The result of the page; absent for the caller's own data.
 */
export function chooseImage(
  page: PageData | undefined,
  embed?: Embed,
  result?: RevalidatedResult,
): CardImage | undefined {
  const field = chooseField(page, embed)
  const isScreenshot = field === 'screenshot'
  const media = page?.[field] ?? undefined
  const image = {
    fallbackSrc: media?.url,
    width: media?.width ?? defaultImageSize.width,
    height: media?.height ?? defaultImageSize.height,
    background: page?.screenshot?.background_color,
    isScreenshot,
    media,
  }
  const first = result?.first?.[field]
  if (first && media && (first.url !== media.url || first.size !== media.size)) {
    // The data names a new screenshot by its content; a new image or logo may have the same URL as before.
    const src = embed && !isScreenshot ? `${embed.url}&revalidated=${result?.cache.timestamp}` : media.url
    return { ...image, src, srcSet: undefined }
  }
  if (embed) return { ...image, src: embed.url, srcSet: embeddedSrcSet(embed.url) }
  return media?.url ? { ...image, src: media.url, srcSet: storedSrcSet(media.url, media.width) } : undefined
}

function chooseField(page: PageData | undefined, embed: Embed | undefined): Embed['field'] {
  if (!embed) return page?.screenshot ? 'screenshot' : 'image'
  // A page that did not show its content has no screenshot, and the service embeds the page's own image instead.
  return embed.field === 'screenshot' && page?.screenshot === null ? 'image' : embed.field
}

/** Does not depend on the data: when another variant fits better, a browser downloads the image again. */
function embeddedSrcSet(url: string): string | undefined {
  if (WITHOUT_VARIANTS.test(url)) return undefined
  const variants = imageWidths.map((width) => `${url}&variant.width=${width}&variant.type=webp ${width}w`)
  return [...variants, `${url} ${EMBEDDED_WIDTH}w`].join()
}

/** Only the service offers variants, and only of images that it stores. */
function storedSrcSet(url: string, ownWidth: number | null | undefined): string | undefined {
  if (!ownWidth || !STORED_IMAGE.test(url)) return undefined
  const smaller = imageWidths.filter((width) => width < ownWidth)
  return [...smaller.map((width) => `${url}?w=${width}&type=webp ${width}w`), `${url}?type=webp ${ownWidth}w`].join()
}
