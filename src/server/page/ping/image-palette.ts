import sharp from 'sharp'
import { palette, type Colour } from '../../colours/index.js'

const MAX_PIXELS = 50_000_000
const DECODE_TIMEOUT_S = 1
/** Width and height of the sample, in pixels. */
const SAMPLE_PX = 64
/** A more transparent pixel shows the page behind it rather than its own colour. */
const MIN_ALPHA = 128

/**
 * Extracts the main colours of an image from a small sample.
 *
 * @returns  `#rrggbb`, at most 8, most frequent first; transparent areas do not count.
 * @throws   {Error} of the decoder: for bytes that are not an image, for more than 50 million pixels, or after a second.
 */
export async function imagePalette(bytes: Uint8Array): Promise<string[]> {
  const sample = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'none' })
    .timeout({ seconds: DECODE_TIMEOUT_S })
    .resize(SAMPLE_PX, SAMPLE_PX, { fit: 'fill', kernel: 'nearest' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer()
  return palette(readPixels(sample))
}

function* readPixels(sample: Buffer): Iterable<Colour> {
  for (let offset = 0; offset + 3 < sample.length; offset += 4)
    if (sample.readUInt8(offset + 3) >= MIN_ALPHA)
      yield [sample.readUInt8(offset), sample.readUInt8(offset + 1), sample.readUInt8(offset + 2)]
}
