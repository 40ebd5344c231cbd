/** Big-endian numbers: `[bytes, value]` each. */
const pack = (...numbers: readonly (readonly [bytes: 1 | 2 | 4, value: number])[]): Buffer =>
  Buffer.concat(
    numbers.map(([bytes, value]) => {
      const buffer = Buffer.alloc(bytes)
      buffer.writeUIntBE(value < 0 ? value + 2 ** (8 * bytes) : value, 0, bytes)
      return buffer
    }),
  )
const shorts = (...values: number[]) => pack(...values.map((value) => [2, value] as const))
const longs = (...values: number[]) => pack(...values.map((value) => [4, value] as const))

const UNITS = 1_000
/** A square of 800 units. */
const SQUARE = Buffer.concat([
  shorts(1, 0, 0, 800, 800, 3, 0),
  Buffer.from([1, 1, 1, 1]),
  shorts(0, 800, 0, -800),
  shorts(0, 0, 800, 0),
])

/**
 * A font in which all code points of a range look like a black square, and any other like nothing.
 *
 * @see  https://learn.microsoft.com/en-us/typography/opentype/spec/otff
 */
export function makeFont(family: string, from: number, to: number): Buffer {
  // Each character of the range has the same glyph.
  const groups = Array.from({ length: to - from + 1 }, (_, index) => longs(from + index, from + index, 1))
  const name = Buffer.from(family, 'utf16le').swap16()
  const names = [1, 4, 6]
  const records = names.map((id) => shorts(3, 1, 0x409, id, name.length, 0))
  const tables: Record<string, Buffer> = {
    'OS/2': Buffer.concat([
      shorts(3, 1_000, 400, 5),
      Buffer.alloc(54),
      shorts(0x40, from & 0xffff, to & 0xffff, 800, -200, 0, 800, 200),
      Buffer.alloc(18),
    ]),
    cmap: Buffer.concat([
      shorts(0, 1, 3, 10),
      longs(12),
      shorts(12, 0),
      longs(16 + 12 * groups.length, 0, groups.length),
      ...groups,
    ]),
    glyf: SQUARE,
    head: Buffer.concat([
      longs(0x10000, 0x10000, 0, 0x5f0f3cf5),
      shorts(0, UNITS),
      Buffer.alloc(16),
      shorts(0, 0, 800, 800, 0, 8, 2, 1, 0),
    ]),
    hhea: Buffer.concat([longs(0x10000), shorts(800, -200, 0, UNITS, 0, 0, 800, 1, 0, 0, 0, 0, 0, 0, 0, 2)]),
    hmtx: shorts(UNITS, 0, UNITS, 0),
    loca: longs(0, 0, SQUARE.length),
    maxp: Buffer.concat([longs(0x10000), shorts(2, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)]),
    name: Buffer.concat([shorts(0, names.length, 6 + 12 * names.length), ...records, name]),
    post: Buffer.concat([longs(0x30000), Buffer.alloc(28)]),
  }
  const tags = Object.keys(tables).toSorted()
  let offset = 12 + 16 * tags.length
  const directory = tags.map((tag) => {
    const entry = Buffer.concat([Buffer.from(tag), longs(0, offset, tables[tag]!.length)])
    offset += Math.ceil(tables[tag]!.length / 4) * 4
    return entry
  })
  const padded = tags.map((tag) => Buffer.concat([tables[tag]!, Buffer.alloc(-tables[tag]!.length & 3)]))
  return Buffer.concat([longs(0x10000), shorts(tags.length, 128, 3, 32), ...directory, ...padded])
}
