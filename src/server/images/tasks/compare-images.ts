import pixelmatch from 'pixelmatch'
import type { Sharp } from 'sharp'
import { openImage } from './open-image.js'

/** Wide enough to tell pages apart, and too small for differences of one letter. */
const WIDTH = 160
const MAX_HEIGHT = 480
/** Difference of colours, from 0 to 1: smoothing of edges stays below it. */
const THRESHOLD = 0.15

/**
 * Compares small copies of two images, the second in the shape of the first.
 *
 * @returns  The share of pixels that people see as different, from 0 to 1.
 */
export async function compareImages(bytes: Uint8Array, other: Uint8Array): Promise<number> {
  const [first, second] = [await openImage(bytes), await openImage(other)]
  const { width, height } = first.metadata
  const size = { width: WIDTH, height: Math.min(MAX_HEIGHT, Math.max(1, Math.round((WIDTH * height) / width))) }
  const [one, two] = await Promise.all([first, second].map(({ image }) => readPixels(image, size)))
  return (
    pixelmatch(one!, two!, undefined, size.width, size.height, { threshold: THRESHOLD }) / (size.width * size.height)
  )
}

const readPixels = (image: Sharp, size: { width: number; height: number }): Promise<Buffer> =>
  image
    .resize({ ...size, fit: 'fill', kernel: 'linear' })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer()
