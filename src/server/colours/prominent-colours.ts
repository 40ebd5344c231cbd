/** 0..255 each. */
export type Colour = readonly [red: number, green: number, blue: number]

const PALETTE_SIZE = 8
/** Colours that are closer than this count as one, 0..441. */
const MIN_DISTANCE = 40

/** The colours of some pixels, as `#rrggbb`: at most 8, most frequent first. */
export const palette = (pixels: Iterable<Colour>): string[] => distinctColours(averageColours(pixels)).map(toHex)

/** The most frequent colour of some pixels, as `#rrggbb`; `undefined` without pixels. */
export function dominantColour(pixels: Iterable<Colour>): string | undefined {
  const [first] = averageColours(pixels)
  return first && toHex(first)
}

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

function distinctColours(colours: readonly Colour[]): Colour[] {
  const distinct: Colour[] = []
  for (const colour of colours) {
    if (distinct.length === PALETTE_SIZE) break
    if (distinct.every((other) => distance(colour, other) > MIN_DISTANCE)) distinct.push(colour)
  }
  return distinct
}

const distance = (a: Colour, b: Colour) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
const toHex = (colour: Colour) => `#${colour.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`
