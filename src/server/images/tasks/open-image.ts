import sharp, { type Metadata, type Sharp } from 'sharp'
import { MAX_PIXELS } from '../image-limits.js'
import { isSrgbProfile } from './is-srgb-profile.js'

/**
 * Opens an image to decode it. A profile of sRGB, which Chromium adds to its JPEG and WebP, is ignored: converting sRGB to sRGB takes
 * longer than decoding.
 *
 * @throws {Error} for bytes that are not an image.
 */
export async function openImage(bytes: Uint8Array): Promise<{ image: Sharp; metadata: Metadata }> {
  const limits = { limitInputPixels: MAX_PIXELS }
  const metadata = await sharp(bytes, limits).metadata()
  return { image: sharp(bytes, { ...limits, ignoreIcc: isSrgbProfile(metadata.icc) }), metadata }
}
