/** What images are encoded as. */
export type ImageType = 'jpg' | 'png' | 'webp' | 'avif'

/** The formats that are decoded. SVG is not among them, because it may take arbitrarily long to draw. */
export type ImageFormat = ImageType | 'gif'

/** Pixels of an image that is decoded or encoded. */
export const MAX_PIXELS = 64_000_000
/** Slightly fewer, because each tile of a screenshot is rounded up to whole pixels. */
const MAX_ENCODED_PIXELS = 63_000_000
/** The encoder of AVIF needs 34 bytes per pixel. */
const MAX_AVIF_PIXELS = 32_000_000
const START_BYTES = 32

/** Pixels that an image may have in a file format; a larger one has to be scaled down before it is encoded. */
export const maxPixelsOf = (type: ImageType): number => (type === 'avif' ? MAX_AVIF_PIXELS : MAX_ENCODED_PIXELS)

/** The format of an image by its first bytes, whatever its content type; `undefined` for any other bytes. */
export function detectImageFormat(bytes: Uint8Array): ImageFormat | undefined {
  const start = Buffer.from(bytes.subarray(0, START_BYTES)).toString('latin1')
  if (start.startsWith('\xff\xd8\xff')) return 'jpg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif'
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'webp'
  // The size of the box is first; other bytes there could be those of HTML.
  if (start.startsWith('\0\0') && start.startsWith('ftyp', 4) && /avi[fs]/.test(start.slice(8))) return 'avif'
  return undefined
}
