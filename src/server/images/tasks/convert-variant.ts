import type { ImageType } from './encode-screenshot.js'
import { encodeVariant, type ConvertedImage } from './encode-variant.js'
import { openImage } from './open-image.js'

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
  const { image, metadata: own } = await openImage(bytes)
  if ((isOwnType && width && width >= own.width) || (own.pages ?? 1) > 1) return undefined
  return encodeVariant(image, own, { width, type })
}
