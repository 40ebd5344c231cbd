import { parse } from 'icc'
import pixelmatch from 'pixelmatch'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { MAX_IMAGE_PIXELS } from './image-formats.js'

/** Profiles of sRGB have at most 3,144 bytes; large ones may have thousands of tags. */
const MAX_PROFILE_BYTES = 4_096
/** Width of the copies that are compared: wide enough to tell pages apart, and too small for differences of one letter. */
const COMPARED_WIDTH = 160
const MAX_COMPARED_HEIGHT = 480
/** Difference of colours, from 0 to 1: smoothing of edges stays below it. */
export const THRESHOLD = 0.15

/**
 * Opens an image to decode it. A profile of sRGB, which Chromium adds to its JPEG and WebP, is ignored: converting sRGB to sRGB takes
 * longer than decoding. The pixels and the size are as displayed, after applying the orientation of the image: encoding drops its tag.
 * Browsers ignore the orientation of a WebP.
 *
 * @throws {Error} for bytes that are not an image.
 */
export async function openImage(bytes: Uint8Array): Promise<{ image: Sharp; metadata: Metadata }> {
  const limits = { limitInputPixels: MAX_IMAGE_PIXELS }
  const metadata = await sharp(bytes, limits).metadata()
  const autoOrient = metadata.format !== 'webp'
  const image = sharp(bytes, { ...limits, autoOrient, ignoreIcc: isSrgbProfile(metadata.icc) })
  return { image, metadata: { ...metadata, ...displayedSize(metadata) } }
}

const displayedSize = ({ format, width, height, autoOrient }: Metadata) =>
  format === 'webp' ? { width, height } : autoOrient

/** Whether a colour profile is one of sRGB, which is named in it; no profile is none. */
export function isSrgbProfile(profile: Buffer | undefined): boolean {
  if (!profile || profile.byteLength > MAX_PROFILE_BYTES) return false
  try {
    const { colorSpace, description } = parse(profile)
    return colorSpace === 'RGB' && /^sRGB\b/.test(description ?? '')
  } catch {
    // A damaged profile is left to the decoder.
    return false
  }
}

/** The size of an image as displayed, in pixels, from its header. @throws {Error} for more than 64 million pixels. */
export async function measureImage(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  const { width, height } = displayedSize(await sharp(bytes, { limitInputPixels: MAX_IMAGE_PIXELS }).metadata())
  if (width * height > MAX_IMAGE_PIXELS) throw new Error(`The image has ${width} × ${height} pixels.`)
  return { width, height }
}

/**
 * Compares small copies of two images, the second in the shape of the first.
 *
 * @returns  The share of pixels that people see as different, from 0 to 1.
 */
export async function compareImages(bytes: Uint8Array, other: Uint8Array): Promise<number> {
  const [first, second] = [await openImage(bytes), await openImage(other)]
  const { width, height } = first.metadata
  const scaledHeight = Math.max(1, Math.round((COMPARED_WIDTH * height) / width))
  const size = { width: COMPARED_WIDTH, height: Math.min(MAX_COMPARED_HEIGHT, scaledHeight) }
  const [one, two] = await Promise.all([first, second].map(({ image }) => readPixels(image, size)))
  const differing = pixelmatch(one!, two!, undefined, size.width, size.height, { threshold: THRESHOLD })
  return differing / (size.width * size.height)
}

const readPixels = (image: Sharp, size: { width: number; height: number }): Promise<Buffer> =>
  image
    .resize({ ...size, fit: 'fill', kernel: 'linear' })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer()
