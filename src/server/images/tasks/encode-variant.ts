import type { Sharp } from 'sharp'
import { maxPixelsOf } from '../image-limits.js'
import type { ImageType } from './encode-screenshot.js'

export interface ConvertedImage {
  bytes: Uint8Array
  /** Pixels. */
  width: number
  height: number
}

interface Size {
  width: number
  height: number
}

const QUALITY = 80
/** Higher efforts take up to twice the time for 3 % fewer bytes. */
const WEBP_EFFORT = 2
/** Higher efforts take about a second per image and make small images hardly smaller. */
const AVIF_EFFORT = 2
/** Above this size, AVIF uses the lowest effort: a sixth of the time. */
const SMALL_AVIF_PIXELS = 4_500_000
/** Largest width and height that each format supports, pixels. */
const MAX_SIDE: Readonly<Record<ImageType, number>> = { jpg: 65_500, png: 100_000, webp: 16_383, avif: 65_535 }

/**
 * Scales and encodes an image. It is never enlarged, and made smaller than requested where its type cannot have as many pixels.
 *
 * @param own    The size of the image, pixels.
 * @param width  Pixels; default: its own width.
 */
export async function encodeVariant(
  image: Sharp,
  own: Size,
  { width = own.width, type }: { width: number | undefined; type: ImageType },
): Promise<ConvertedImage> {
  const pixelScale = Math.min(1, Math.sqrt(maxPixelsOf(type) / (own.width * own.height)))
  const size = {
    width: Math.min(width, MAX_SIDE[type], Math.floor(own.width * pixelScale)),
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
      return image.webp({ quality: QUALITY, effort: WEBP_EFFORT })
    case 'avif':
      return image.avif({ quality: QUALITY, effort: isSmall ? AVIF_EFFORT : 0 })
    default:
      // JPEG has no transparency: without a background, transparent pixels turn black.
      return image.flatten({ background: '#fff' }).jpeg({ quality: QUALITY })
  }
}
