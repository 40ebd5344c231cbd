import type { Sharp } from 'sharp'
import { maxPixelsOf } from '../image-limits.js'
import type { ImageType } from './encode-screenshot.js'

/** An image in a type that needs too many bytes for it. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError'
}

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

/** Each is in the memory of the service as a whole, before it is stored. */
const MAX_BYTES = 25_000_000
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
 * @throws       {TooLargeError}
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
  if (data.length > MAX_BYTES)
    throw new TooLargeError(
      `The image would be larger than ${MAX_BYTES / 1e6} MB as ${type}. Request a smaller width or another type.`,
    )
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
