import sharp from 'sharp'

export interface PictureColours {
  /** What the picture's edge has most. */
  background: string
  /** Most present first. */
  palette: string[]
}

/** Pixels on each side of the sample. */
const SIDE = 64
const PALETTE_SIZE = 8
/** Colours closer than this are one, 0..441. */
const NEAR = 40

type Colour = readonly [red: number, green: number, blue: number]

/** Reads colours off a small sample, `#rrggbb`; what is transparent counts as white. */
export async function pictureColours(bytes: Uint8Array): Promise<PictureColours> {
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
  return { background: toHex(mostPresent(pixels.filter(isEdge))[0]!), palette: apart(mostPresent(pixels)).map(toHex) }
}

/** One average colour per group of like ones, the largest group first. */
function mostPresent(pixels: readonly Colour[]): Colour[] {
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

function apart(colours: readonly Colour[]): Colour[] {
  const kept: Colour[] = []
  for (const colour of colours)
    if (
      kept.length < PALETTE_SIZE &&
      kept.every((other) => Math.hypot(...colour.map((value, at) => value - other[at]!)) > NEAR)
    )
      kept.push(colour)
  return kept
}

const toHex = (colour: Colour) => `#${colour.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`
