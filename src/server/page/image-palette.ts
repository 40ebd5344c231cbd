import sharp from 'sharp'

const MAX_PIXELS = 50_000_000
const DECODE_TIMEOUT_S = 1
/** Pixels on each side of the sample. */
const SIDE = 64
const PALETTE_SIZE = 6
/** Colours closer than this are one, 0..441. */
const NEAR = 40
/** What is nearly transparent shows the page behind it. */
const OPAQUE = 128

type Colour = readonly [red: number, green: number, blue: number]

/**
 * Reads the colours of an image off a small sample.
 *
 * @returns  `#rrggbb`, at most 6, most present first; without what is transparent.
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
  return apart(mostPresent(readPixels(sample))).map(toHex)
}

function* readPixels(sample: Buffer): Iterable<Colour> {
  for (let at = 0; at + 3 < sample.length; at += 4)
    if (sample.readUInt8(at + 3) >= OPAQUE)
      yield [sample.readUInt8(at), sample.readUInt8(at + 1), sample.readUInt8(at + 2)]
}

/** One average colour per group of like ones, the largest group first. */
function mostPresent(pixels: Iterable<Colour>): Colour[] {
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
    .toSorted((one, other) => other.count - one.count)
    .map(({ count, sum: [red, green, blue] }) => [red / count, green / count, blue / count])
}

function apart(colours: readonly Colour[]): Colour[] {
  const kept: Colour[] = []
  for (const colour of colours) {
    if (kept.length === PALETTE_SIZE) break
    if (kept.every((other) => distance(colour, other) > NEAR)) kept.push(colour)
  }
  return kept
}

const distance = (one: Colour, other: Colour) => Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2])
const toHex = (colour: Colour) => `#${colour.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`
