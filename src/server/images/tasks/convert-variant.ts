import sharp from 'sharp'
import { MAX_PIXELS } from '../image-limits.js'
import type { ImageType } from './encode-screenshot.js'
import { encodeVariant, type ConvertedImage } from './encode-variant.js'

export interface Conversion {
  /** Pixels; images are never enlarged. Default: the image's own width. */
  width: number | undefined
  type: ImageType
  /** Whether the image already has the type. */
  isOwnType: boolean
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
  return encodeVariant(image, own, { width, type })
}
