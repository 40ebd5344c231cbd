import sharp from 'sharp'
import { MAX_PIXELS } from '../image-limits.js'
import type { Conversion } from './convert-variant.js'
import { encodeVariant, type ConvertedImage } from './encode-variant.js'

/**
 * Converts an image into several variants and decodes it once, which takes most of the time of a small variant.
 *
 * @param variants  All with a width.
 * @returns         In their order; `undefined` as `convertVariant` says.
 */
export async function convertVariants(
  bytes: Uint8Array,
  variants: readonly (Conversion & { width: number })[],
): Promise<(ConvertedImage | undefined)[]> {
  const image = sharp(bytes, { limitInputPixels: MAX_PIXELS })
  const own = await image.metadata()
  if ((own.pages ?? 1) > 1) return variants.map(() => undefined)
  const widest = Math.min(own.width, Math.max(...variants.map(({ width }) => width)))
  const decoded = await image.resize({ width: widest }).raw().toBuffer({ resolveWithObject: true })
  const converted: (ConvertedImage | undefined)[] = []
  for (const { isOwnType, ...variant } of variants) {
    const isOwn = isOwnType && variant.width >= own.width
    converted.push(
      isOwn ? undefined : await encodeVariant(sharp(decoded.data, { raw: decoded.info }), decoded.info, variant),
    )
  }
  return converted
}
