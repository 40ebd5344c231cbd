/** 0..255 each. */
export type Colour = readonly [red: number, green: number, blue: number]

const PALETTE_SIZE = 8
/** Colours closer than this are one, 0..441. */
const NEAR = 40

/** The colours of some pixels, `#rrggbb`: at most 8, most present first. */
export const palette = (pixels: Iterable<Colour>): string[] => apart(mostPresent(pixels)).map(toHex)

/** The colour that most of some pixels have, `#rrggbb`; `undefined` for none. */
export function mainColour(pixels: Iterable<Colour>): string | undefined {
  const [first] = mostPresent(pixels)
  return first && toHex(first)
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
