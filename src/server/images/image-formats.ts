import type { fields } from '../../query/index.js'

/** What images are encoded as. */
export type ImageType = (typeof fields)['screenshot.type']['values'][number]

/** The formats that are decoded. SVG is not among them, because it may take arbitrarily long to draw. */
export type ImageFormat = ImageType | 'gif'

/** Pixels of an image that is decoded or encoded. */
export const MAX_IMAGE_PIXELS = 64_000_000
/** Slightly fewer, because each tile of a screenshot is rounded up to whole pixels. */
const MAX_ENCODED_PIXELS = 63_000_000
/** The encoder of AVIF needs 34 bytes per pixel. */
const MAX_AVIF_PIXELS = 32_000_000
/**
 * The longest side of an image, pixels: of jpg and webp, the longest that a file can store; of avif, the longest that all decoders
 * accept. For png, the number of pixels is the only limit.
 */
const MAX_SIDES: Readonly<Record<ImageType, number>> = { jpg: 65_500, png: Infinity, webp: 16_383, avif: 16_384 }
/**
 * Up to this size AVIF uses a higher effort, for two thirds of the bytes. It takes twice the time for a screenshot, and six times for a
 * variant.
 */
export const SMALL_AVIF_PIXELS = 4_500_000
const START_BYTES = 32

/** The limits of an image in a file format; a larger one has to be scaled down before it is encoded. */
export const limitsOf = (type: ImageType): { maxPixels: number; maxSide: number } => ({
  maxPixels: type === 'avif' ? MAX_AVIF_PIXELS : MAX_ENCODED_PIXELS,
  maxSide: MAX_SIDES[type],
})

/** The format of an image by its first bytes alone; `undefined` for any other bytes. */
export function detectImageFormat(bytes: Uint8Array): ImageFormat | undefined {
  const start = Buffer.from(bytes.subarray(0, START_BYTES)).toString('latin1')
  if (start.startsWith('\xff\xd8\xff')) return 'jpg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif'
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'webp'
  // The size of the box is first; with any other bytes it could be HTML.
  if (start.startsWith('\0\0') && start.startsWith('ftyp', 4) && /avi[fs]/.test(start.slice(8))) return 'avif'
  return undefined
}
