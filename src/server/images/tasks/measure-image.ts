import sharp from 'sharp'
import { MAX_PIXELS } from '../image-limits.js'

/** The size of an image in pixels, from its header. @throws {Error} for more than 64 million pixels. */
export async function measureImage(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  const { width, height } = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata()
  if (width * height > MAX_PIXELS) throw new Error(`The image has ${width} × ${height} pixels.`)
  return { width, height }
}
