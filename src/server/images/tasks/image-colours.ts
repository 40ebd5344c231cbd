import sharp from 'sharp'
import { dominantColour, palette, type Colour } from '../../colours/index.js'
import { MAX_PIXELS } from '../image-limits.js'

export interface ImageColours {
  /** The most frequent colour along the edges of the image. */
  background: string
  /** Most frequent first. */
  palette: string[]
}

/** Width and height of the sample, in pixels. */
const SAMPLE_SIDE = 64

/** Reads the colours of a small sample of an image, as `#rrggbb`; transparent pixels count as white. */
export async function imageColours(bytes: Uint8Array): Promise<ImageColours> {
  const sample = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .resize(SAMPLE_SIDE, SAMPLE_SIDE, { fit: 'fill', kernel: 'nearest', fastShrinkOnLoad: true })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer()
  const pixels = Array.from({ length: SAMPLE_SIDE ** 2 }, (_, index): Colour => [
    sample[index * 3]!,
    sample[index * 3 + 1]!,
    sample[index * 3 + 2]!,
  ])
  const edgePixels = pixels.filter((_, index) => isAtEdge(index))
  return { background: dominantColour(edgePixels)!, palette: palette(pixels) }
}

function isAtEdge(index: number): boolean {
  const [x, y] = [index % SAMPLE_SIDE, Math.floor(index / SAMPLE_SIDE)]
  return x === 0 || y === 0 || x === SAMPLE_SIDE - 1 || y === SAMPLE_SIDE - 1
}
