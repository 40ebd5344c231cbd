import sharp from 'sharp'
import type { Conversion } from './convert-variant.js'
import { encodeVariant, type ConvertedImage } from './encode-variant.js'
import { openImage } from './open-image.js'

/** As sharp as Lanczos to the eye, and the image is decoded and scaled in four fifths of the time. */
const KERNEL = 'cubic'

/**
 * Converts an image into several variants. It is decoded once and scaled once to each width, which takes most of the time of a
 * small variant.
 *
 * @param variants  All with a width.
 * @returns         In their order; `undefined` as `convertVariant` says.
 */
export async function convertVariants(
  bytes: Uint8Array,
  variants: readonly (Conversion & { width: number })[],
): Promise<(ConvertedImage | undefined)[]> {
  const { image, metadata: own } = await openImage(bytes)
  if ((own.pages ?? 1) > 1) return variants.map(() => undefined)
  const converted: (ConvertedImage | undefined)[] = variants.map(() => undefined)
  let larger = image
  for (const width of descending(variants.map((variant) => Math.min(variant.width, own.width)))) {
    const { data, info } = await larger.resize({ width, kernel: KERNEL }).raw().toBuffer({ resolveWithObject: true })
    const scaled = () => sharp(data, { raw: info })
    larger = scaled()
    for (const [index, { isOwnType, ...variant }] of variants.entries()) {
      const isOwn = isOwnType && variant.width >= own.width
      if (!isOwn && Math.min(variant.width, own.width) === width)
        converted[index] = await encodeVariant(scaled(), info, variant)
    }
  }
  return converted
}

const descending = (widths: readonly number[]): number[] => [...new Set(widths)].toSorted((a, b) => b - a)
