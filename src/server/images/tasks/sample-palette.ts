import sharp from 'sharp'
import { palette, type Colour } from '../../colours/index.js'
import { MAX_PIXELS } from '../image-limits.js'

/** Width and height of the sample, in pixels. */
const SAMPLE_PX = 64
/** A more transparent pixel shows the page behind it rather than its own colour. */
const MIN_ALPHA = 128

/** The main colours in a small sample of an image: `#rrggbb`, at most 8, most frequent first; transparent areas do not count. */
export async function samplePalette(bytes: Uint8Array): Promise<string[]> {
  const sample = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'none' })
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
