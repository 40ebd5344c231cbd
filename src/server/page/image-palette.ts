import sharp from 'sharp'
import { palette, type Colour } from '../picture/index.js'

const MAX_PIXELS = 50_000_000
const DECODE_TIMEOUT_S = 1
/** Pixels on each side of the sample. */
const SIDE = 64
/** What is nearly transparent shows the page behind it. */
const OPAQUE = 128

/**
 * Reads the colours of an image off a small sample.
 *
 * @returns  `#rrggbb`, at most 8, most present first; without what is transparent.
 * @throws   {Error} what the decoder says of bytes that are no image, of more than 50 million pixels, or after a second.
 */
export async function imagePalette(bytes: Uint8Array): Promise<string[]> {
  const sample = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'none' })
    .timeout({ seconds: DECODE_TIMEOUT_S })
    .resize(SIDE, SIDE, { fit: 'fill', kernel: 'nearest' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer()
  return palette(readPixels(sample))
}

function* readPixels(sample: Buffer): Iterable<Colour> {
  for (let at = 0; at + 3 < sample.length; at += 4)
    if (sample.readUInt8(at + 3) >= OPAQUE)
      yield [sample.readUInt8(at), sample.readUInt8(at + 1), sample.readUInt8(at + 2)]
}
