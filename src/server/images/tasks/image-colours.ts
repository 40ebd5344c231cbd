import { dominantColour, palette, type Colour } from '../../colours/index.js'
import { measureEntropy } from './measure-entropy.js'
import { reduceImage, type ReducedImage } from './reduce-image.js'

export interface ImageColours {
  /** The most frequent colour along the edges of the image. */
  background: string
  /** Most frequent first. */
  palette: string[]
  pixels: PixelStatistics
}

/** How much an image shows. */
export interface PixelStatistics {
  /** Entropy of the brightness, in bits: 0 where all pixels are alike, at most 8. */
  entropy: number
  /** `#rrggbb`: the most frequent colour. */
  dominant: string
}

/** Width and height of the sample, in pixels. */
const SAMPLE_SIDE = 64

/** Reads the colours of a small sample of an image, as `#rrggbb`; transparent pixels count as white. */
export async function imageColours(bytes: Uint8Array): Promise<ImageColours> {
  const reduced = await reduceImage(bytes)
  const pixels = samplePixels(reduced)
  const edgePixels = pixels.filter((_, index) => isAtEdge(index))
  return {
    background: dominantColour(edgePixels)!,
    palette: palette(pixels),
    pixels: { entropy: measureEntropy(reduced), dominant: dominantColour(pixels)! },
  }
}

/** A square of pixels, whatever the shape of the image. */
const samplePixels = ({ data, width, height }: ReducedImage): Colour[] =>
  Array.from({ length: SAMPLE_SIDE ** 2 }, (_, index) => {
    const x = nearest(index % SAMPLE_SIDE, width)
    const y = nearest(Math.floor(index / SAMPLE_SIDE), height)
    const offset = (y * width + x) * 3
    return [data[offset]!, data[offset + 1]!, data[offset + 2]!]
  })

/** The first and the last position are those of the edges. */
const nearest = (position: number, length: number) => Math.round((position / (SAMPLE_SIDE - 1)) * (length - 1))

function isAtEdge(index: number): boolean {
  const [x, y] = [index % SAMPLE_SIDE, Math.floor(index / SAMPLE_SIDE)]
  return x === 0 || y === 0 || x === SAMPLE_SIDE - 1 || y === SAMPLE_SIDE - 1
}
