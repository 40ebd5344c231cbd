import type { Media, PageData, Screenshot } from '../query/index.js'
import { imageWidths } from './image-widths.js'
import type { Embed } from './preview-request.js'

/** What to put into an `<img>`. */
export interface CardImage {
  src: string
  /** Smaller forms of it, where the service makes them. */
  srcSet: string | undefined
  /** To be taken when `src` cannot be shown. */
  otherSrc: string | undefined
  /** The picture's own pixels; 16:10 until they are known. */
  width: number
  height: number
  /** `#rrggbb`. */
  background: string | undefined
  isScreenshot: boolean
  /** What the answer tells of it. */
  media: Media | Screenshot | undefined
}

/** The data of the first result and the time of this one: what tells a refreshed image from the first. */
export interface ImageHistory {
  first?: PageData | undefined
  cache: { timestamp: number | undefined }
}

const WIDTH = 1280
const HEIGHT = 800
const KEPT_IMAGE = /\/images\/[\da-f]{64}\.\w+$/

/**
 * A renewed picture is shown in the place of the first one, without smaller forms: it was decoded before, and another form
 * would be loaded only now.
 */
export function chooseImage(
  page: PageData | undefined,
  answer: ImageHistory | undefined,
  embed: Embed | undefined,
): CardImage | undefined {
  const field = embed?.field ?? (page?.screenshot ? 'screenshot' : 'image')
  const isScreenshot = field === 'screenshot'
  const media = page?.[field] ?? undefined
  const { url, width, height } = media ?? {}
  const first = answer?.first?.[field]
  const isRenewed = first && media && (first.url !== url || first.size !== media.size)
  const src =
    embed && !(isRenewed && isScreenshot) ? embed.url + (isRenewed ? `&renewed=${answer?.cache.timestamp}` : '') : url
  if (!src) return undefined
  return {
    src,
    srcSet: src === url && !isRenewed ? variantsOf(url, width) : undefined,
    otherSrc: url,
    width: width ?? WIDTH,
    height: height ?? HEIGHT,
    background: page?.screenshot?.background_color,
    isScreenshot,
    media,
  }
}

/** Only the service makes them, and only of pictures that it keeps. */
function variantsOf(url: string, width: number | null | undefined): string | undefined {
  if (!width || !KEPT_IMAGE.test(url)) return undefined
  const smaller = imageWidths
    .filter((offered) => offered < width)
    .map((offered) => `${url}?w=${offered}&type=webp ${offered}w`)
  return [...smaller, `${url}?type=webp ${width}w`].join()
}
