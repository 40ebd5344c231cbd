import sharp from 'sharp'
import { mainColour, palette, type Colour } from '../picture/index.js'

export interface ImageColours {
  /** What the picture's edge has most. */
  background: string
  /** Most present first. */
  palette: string[]
}

/** Pixels on each side of the sample. */
const SIDE = 64

/** Reads colours off a small sample, `#rrggbb`; what is transparent counts as white. */
export async function imageColours(bytes: Uint8Array): Promise<ImageColours> {
  const sample = await sharp(bytes, { limitInputPixels: false })
    .resize(SIDE, SIDE, { fit: 'fill', kernel: 'nearest', fastShrinkOnLoad: true })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer()
  const pixels = Array.from({ length: SIDE * SIDE }, (_, at): Colour => [
    sample[at * 3]!,
    sample[at * 3 + 1]!,
    sample[at * 3 + 2]!,
  ])
  const isEdge = (_: Colour, at: number) => {
    const [x, y] = [at % SIDE, Math.floor(at / SIDE)]
    return x === 0 || y === 0 || x === SIDE - 1 || y === SIDE - 1
  }
  return { background: mainColour(pixels.filter(isEdge))!, palette: palette(pixels) }
}
