import sharp, { type Sharp } from 'sharp'
import { MAX_PIXELS, maxPixelsOf } from '../image-limits.js'
import type { ImageType } from './encode-screenshot.js'

export interface Conversion {
  /** Pixels; images are never enlarged. Default: the image's own width. */
  width: number | undefined
  type: ImageType
  /** Whether the image already has the type. */
  isOwnType: boolean
}

const QUALITY = 80
/** Higher efforts take about a second per image and make small images hardly smaller. */
const AVIF_EFFORT = 2
/** Above this size, AVIF uses the lowest effort: a sixth of the time. */
const SMALL_AVIF_PIXELS = 4_500_000
/** Largest width and height that each format supports, pixels. */
const MAX_SIDE: Readonly<Record<ImageType, number>> = { jpg: 65_500, png: 100_000, webp: 16_383, avif: 65_535 }

export interface ConvertedImage {
  bytes: Uint8Array
  /** Pixels. */
  width: number
  height: number
}

/**
 * @returns  `undefined` when the image already is the variant, because encoding it again would only lose quality, and for an
 *           animation, of which only the first frame would be left.
 */
export async function convertVariant(
  bytes: Uint8Array,
  { width, type, isOwnType }: Conversion,
): Promise<ConvertedImage | undefined> {
  const image = sharp(bytes, { limitInputPixels: MAX_PIXELS })
  const own = await image.metadata()
  if ((isOwnType && width && width >= own.width) || (own.pages ?? 1) > 1) return undefined
  const pixelScale = Math.min(1, Math.sqrt(maxPixelsOf(type) / (own.width * own.height)))
  const size = {
    width: Math.min(width ?? own.width, MAX_SIDE[type], Math.floor(own.width * pixelScale)),
    height: MAX_SIDE[type],
    fit: 'inside',
    withoutEnlargement: true,
  } as const
  const scale = Math.min(1, size.width / own.width, size.height / own.height)
  const isSmall = own.width * own.height * scale ** 2 <= SMALL_AVIF_PIXELS
  const { data, info } = await encode(image.resize(size), type, isSmall).toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height }
}

function encode(image: Sharp, type: ImageType, isSmall: boolean): Sharp {
  switch (type) {
    case 'png':
      return image.png()
    case 'webp':
      return image.webp({ quality: QUALITY })
    case 'avif':
      return image.avif({ quality: QUALITY, effort: isSmall ? AVIF_EFFORT : 0 })
    default:
      // JPEG has no transparency: without a background, transparent pixels turn black.
      return image.flatten({ background: '#fff' }).jpeg({ quality: QUALITY })
  }
}
