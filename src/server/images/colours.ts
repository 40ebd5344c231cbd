import sharp from 'sharp'
import { MAX_IMAGE_PIXELS } from './image-formats.js'
import { openImage } from './open-image.js'

export interface ImageColours {
  /** The most frequent colour along the edges of the image. */
  background: string
  /** Most frequent first. */
  palette: string[]
  pixels: PixelStatistics
}

/** How much an image shows. */
export interface PixelStatistics {
  /** Entropy of the brightness, in bits: 0 if all pixels are alike, at most 8. */
  entropy: number
  /** `#rrggbb`: the most frequent colour. */
  dominant: string
}

/** 0..255 each. */
type Colour = readonly [red: number, green: number, blue: number]

/** A small copy of an image: three bytes per pixel, row by row; transparent pixels are white. */
interface ReducedImage {
  data: Uint8Array
  width: number
  height: number
}

const MAX_REDUCED_SIDE = 256
/** Width and height of a sample, in pixels. */
const SAMPLE_SIDE = 64
/** A more transparent pixel shows the page behind it rather than its own colour. */
const MIN_ALPHA = 128
const PALETTE_SIZE = 8
/** Colours that are closer than this count as one, 0..441. */
const MIN_DISTANCE = 40

/** Reads the colours of a small sample of an image, as `#rrggbb`; transparent pixels count as white. */
export async function imageColours(bytes: Uint8Array): Promise<ImageColours> {
  const reduced = await reduceImage(bytes)
  const pixels = samplePixels(reduced)
  const edgePixels = pixels.filter((_, index) => isAtEdge(index))
  return {
    background: dominantColour(edgePixels),
    palette: paletteOf(pixels),
    pixels: { entropy: measureEntropy(reduced), dominant: dominantColour(pixels) },
  }
}

async function reduceImage(bytes: Uint8Array): Promise<ReducedImage> {
  const { image } = await openImage(bytes)
  const size = { width: MAX_REDUCED_SIDE, height: MAX_REDUCED_SIDE, fit: 'inside', withoutEnlargement: true } as const
  const { data, info } = await image
    // Averages pixels, so that thin lines are not lost.
    .resize({ ...size, kernel: 'linear', fastShrinkOnLoad: true })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** A square of pixels, also of an image with another shape. */
const samplePixels = ({ data, width, height }: ReducedImage): Colour[] =>
  Array.from({ length: SAMPLE_SIDE ** 2 }, (_, index) => {
    const x = nearest(index % SAMPLE_SIDE, width)
    const y = nearest(Math.floor(index / SAMPLE_SIDE), height)
    const offset = (y * width + x) * 3
    return [data[offset]!, data[offset + 1]!, data[offset + 2]!]
  })

/** The first and the last position are at the edges. */
const nearest = (position: number, length: number) => Math.round((position / (SAMPLE_SIDE - 1)) * (length - 1))

function isAtEdge(index: number): boolean {
  const [x, y] = [index % SAMPLE_SIDE, Math.floor(index / SAMPLE_SIDE)]
  return x === 0 || y === 0 || x === SAMPLE_SIDE - 1 || y === SAMPLE_SIDE - 1
}

/** The entropy of an image. `sharp.stats()` would take 8 ms of CPU time for an image of any size. */
function measureEntropy({ data }: ReducedImage): number {
  const counts = new Uint32Array(256)
  for (let offset = 0; offset + 2 < data.length; offset += 3)
    counts[Math.round(0.2126 * data[offset]! + 0.7152 * data[offset + 1]! + 0.0722 * data[offset + 2]!)]!++
  const total = data.length / 3
  let entropy = 0
  for (const count of counts) if (count > 0) entropy -= (count / total) * Math.log2(count / total)
  return entropy
}

/** The main colours in a small sample of an image: `#rrggbb`, at most 8, most frequent first; transparent areas do not count. */
export async function samplePalette(bytes: Uint8Array): Promise<string[]> {
  const sample = await sharp(bytes, { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'none' })
    .resize(SAMPLE_SIDE, SAMPLE_SIDE, { fit: 'fill', kernel: 'nearest' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer()
  return paletteOf(opaquePixels(sample))
}

function* opaquePixels(sample: Buffer): Iterable<Colour> {
  for (let offset = 0; offset + 3 < sample.length; offset += 4)
    if (sample.readUInt8(offset + 3) >= MIN_ALPHA)
      yield [sample.readUInt8(offset), sample.readUInt8(offset + 1), sample.readUInt8(offset + 2)]
}

/** At most 8 colours, the most frequent first. */
function paletteOf(pixels: Iterable<Colour>): string[] {
  const distinct: Colour[] = []
  for (const colour of averageColours(pixels)) {
    if (distinct.length === PALETTE_SIZE) break
    if (distinct.every((other) => distance(colour, other) > MIN_DISTANCE)) distinct.push(colour)
  }
  return distinct.map(toHex)
}

/** The most frequent colour of at least one pixel. */
const dominantColour = (pixels: Iterable<Colour>): string => toHex(averageColours(pixels)[0]!)

/** Groups similar pixels, and returns the average colour of each group, the largest group first. */
function averageColours(pixels: Iterable<Colour>): Colour[] {
  const groups = new Map<number, { count: number; sum: [number, number, number] }>()
  for (const [red, green, blue] of pixels) {
    const key = ((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4)
    const group = groups.get(key) ?? { count: 0, sum: [0, 0, 0] }
    group.count++
    group.sum[0] += red
    group.sum[1] += green
    group.sum[2] += blue
    groups.set(key, group)
  }
  return [...groups.values()]
    .toSorted((a, b) => b.count - a.count)
    .map(({ count, sum: [red, green, blue] }) => [red / count, green / count, blue / count])
}

const distance = (a: Colour, b: Colour) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
const toHex = (colour: Colour) => `#${colour.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`
