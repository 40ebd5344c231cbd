import pixelmatch from 'pixelmatch'
import { openImage, THRESHOLD } from './open-image.js'

/** Pixels of an image, from its top left corner. */
interface PixelBox {
  x: number
  y: number
  width: number
  height: number
}

/** The place of the same part of a page in two images; it may reach beyond them. */
export interface BlockPair {
  first: PixelBox
  second: PixelBox
}

interface RawImage {
  pixels: Uint8Array
  width: number
  height: number
}

const MAX_PAIRS = 1_000
/** Of each decoded image; both are in memory. Larger ones are scaled down. */
const MAX_DECODED_PIXELS = 24_000_000
/** Of all pairs, which may lie over each other; of more, only every second or third is compared. */
const MAX_COMPARED_PIXELS = 24_000_000
/** Sides that differ by more pixels are those of different parts. */
const MAX_SIDE_DIFFERENCE = 2
/** A part may have moved by a fraction of a pixel, which shifts its pixels by one. */
const SHIFTS = [
  [0, -1],
  [0, 1],
  [-1, 0],
  [1, 0],
] as const
/** Below it, pixels that are shifted are not searched for. */
const MIN_SHIFT_SHARE = 0.005

/**
 * Compares parts of two images, which are decoded once.
 *
 * @param pairs  At most 1,000.
 * @returns      For each pair the share of its pixels that people see as different, from 0 to 1. It is 1 for parts of different sizes, and
 *               0 if no pixel of the part is in both images.
 */
export async function compareBlocks(
  first: Uint8Array,
  second: Uint8Array,
  pairs: readonly BlockPair[],
): Promise<number[]> {
  if (pairs.length > MAX_PAIRS) throw new Error(`There are ${pairs.length} pairs; at most ${MAX_PAIRS} are compared.`)
  const opened = [await openImage(first), await openImage(second)]
  const pixels = Math.max(...opened.map(({ metadata: { width, height } }) => width * height))
  const scale = Math.min(1, Math.sqrt(MAX_DECODED_PIXELS / pixels))
  const [one, two] = [await decode(opened[0]!, scale), await decode(opened[1]!, scale)]
  const commons = pairs.map((pair) => commonPart(pair, one, two, scale))
  const total = commons.reduce((sum, common) => sum + (common ? common.width * common.height : 0), 0)
  const step = Math.max(1, Math.ceil(Math.sqrt(total / MAX_COMPARED_PIXELS)))
  return pairs.map((pair, index) => {
    if (!hasSameSize(pair)) return 1
    const common = commons[index]
    return common ? shareOfDifference(one, two, { ...common, step }) : 0
  })
}

const hasSameSize = ({ first, second }: BlockPair) =>
  Math.abs(first.width - second.width) <= MAX_SIDE_DIFFERENCE &&
  Math.abs(first.height - second.height) <= MAX_SIDE_DIFFERENCE

async function decode({ image, metadata }: Awaited<ReturnType<typeof openImage>>, scale: number): Promise<RawImage> {
  const size = {
    width: Math.max(1, Math.floor(metadata.width * scale)),
    height: Math.max(1, Math.floor(metadata.height * scale)),
  }
  const scaled = scale < 1 ? image.resize({ ...size, fit: 'fill', kernel: 'linear' }) : image
  const pixels = await scaled.flatten({ background: '#fff' }).toColourspace('srgb').ensureAlpha().raw().toBuffer()
  return { pixels, ...size }
}

/** The part of a pair that is in both images, by its corners in them. */
interface CommonPart {
  first: { x: number; y: number }
  second: { x: number; y: number }
  width: number
  height: number
}

function commonPart({ first, second }: BlockPair, one: RawImage, two: RawImage, scale: number): CommonPart | undefined {
  const [a, b] = [scaledBox(first, scale), scaledBox(second, scale)]
  const left = Math.max(0, -a.x, -b.x)
  const top = Math.max(0, -a.y, -b.y)
  const right = Math.min(a.width, b.width, one.width - a.x, two.width - b.x)
  const bottom = Math.min(a.height, b.height, one.height - a.y, two.height - b.y)
  if (!(right > left && bottom > top)) return undefined
  const corner = ({ x, y }: PixelBox) => ({ x: x + left, y: y + top })
  return { first: corner(a), second: corner(b), width: right - left, height: bottom - top }
}

/** Of at least one pixel. */
const scaledBox = ({ x, y, width, height }: PixelBox, scale: number): PixelBox => ({
  x: Math.round(x * scale),
  y: Math.round(y * scale),
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
})

/** The least share of all shifts. */
function shareOfDifference(
  one: RawImage,
  two: RawImage,
  { first, second, width, height, step }: CommonPart & { step: number },
) {
  const size = { width: Math.ceil(width / step), height: Math.ceil(height / step), step }
  const pixels = crop(one, first, size)
  const compare = (x: number, y: number) =>
    pixelmatch(pixels, crop(two, { x: second.x + x, y: second.y + y }, size), undefined, size.width, size.height, {
      threshold: THRESHOLD,
    }) /
    (size.width * size.height)
  let least = compare(0, 0)
  for (const [x, y] of SHIFTS) if (least > MIN_SHIFT_SHARE) least = Math.min(least, compare(x, y))
  return least
}

/** Every pixel, or every second and so on, of a part; beyond the edge of the image, the last one before it. */
function crop(
  { pixels, width, height }: RawImage,
  { x, y }: { x: number; y: number },
  size: { width: number; height: number; step: number },
): Uint8Array {
  const all = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height)
  const cropped = new Uint32Array(size.width * size.height)
  const within = (value: number, end: number) => Math.min(Math.max(value, 0), end - 1)
  for (let row = 0; row < size.height; row++) {
    const start = within(y + row * size.step, height) * width
    for (let column = 0; column < size.width; column++)
      cropped[row * size.width + column] = all[start + within(x + column * size.step, width)]!
  }
  return new Uint8Array(cropped.buffer)
}
