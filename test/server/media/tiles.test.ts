import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listTiles, tilesOf } from '../../../src/server/media/tiles.js'

const screenshot = {
  image: `${'a'.repeat(64)}.jpg`,
  width: 2_560,
  height: 8_000,
  type: 'jpg',
  size: 1_000,
  size_pretty: '1 kB',
  background_color: '#ffffff',
  area: { x: 0, y: 0, width: 1_280, height: 4_000 },
} as const

describe('the tiles of an image', () => {
  it.each<[string, [width: number, height: number], Parameters<typeof tilesOf>[1], number[][]]>([
    ['that is small is the image', [900, 1_568], {}, [[0, 0, 900, 1_568]]],
    [
      'that is tall are below each other',
      [1_280, 4_000],
      {},
      [
        [0, 0, 1_280, 1_438],
        [0, 1_281, 1_280, 1_438],
        [0, 2_562, 1_280, 1_438],
      ],
    ],
    [
      'that is wide are beside each other',
      [4_000, 500],
      { maxSide: 2_048 },
      [
        [0, 0, 1_470, 500],
        [1_265, 0, 1_470, 500],
        [2_530, 0, 1_470, 500],
      ],
    ],
    [
      'that is scaled down first are larger parts of it',
      [2_560, 4_000],
      { width: 1_280, maxSide: 1_280 },
      [
        [0, 0, 2_560, 2_128],
        [0, 1_872, 2_560, 2_128],
      ],
    ],
  ])('%s', (_, [width, height], variant, tiles) => {
    expect(tilesOf({ width, height }, variant).map((tile) => [tile.left, tile.top, tile.width, tile.height])).toEqual(
      tiles,
    )
  })

  it('cover all of it, are within the limit, and overlap by a tenth of it', () => {
    const side = fc.integer({ min: 1, max: 65_500 })
    fc.assert(
      fc.property(side, side, fc.integer({ min: 16, max: 65_500 }), (width, height, maxSide) => {
        fc.pre((width / maxSide) * (height / maxSide) < 20 && Math.max(width, height) / maxSide < 50)
        const tiles = tilesOf({ width, height }, { maxSide })
        const [first, last] = [tiles[0]!, tiles.at(-1)!]
        expect([first.left, first.top]).toEqual([0, 0])
        expect([last.left + last.width, last.top + last.height]).toEqual([width, height])
        for (const tile of tiles) expect(Math.max(tile.width, tile.height)).toBeLessThanOrEqual(maxSide)
        const starts = [...new Set(tiles.map(({ top }) => top))]
        for (const [index, top] of starts.slice(1).entries())
          expect(starts[index]! + first.height - top).toBeGreaterThanOrEqual(Math.floor(maxSide * 0.097 * 0.97) - 1)
      }),
    )
  })

  it('are at most 100', () => {
    expect(tilesOf({ width: 100, height: 100 }, { maxSide: 16 })).toHaveLength(49)
    expect(() => tilesOf({ width: 1_000, height: 60_000 }, { maxSide: 64 })).toThrow(
      expect.objectContaining({
        code: 'ETOOLARGE',
        data: { 'variant.maxSide': expect.stringMatching(/^needs \d+ tiles$/) },
      }),
    )
  })
})

describe('the list of tiles', () => {
  it('has the place of each on the page, in CSS pixels, and a URL with the limits', () => {
    const tiles = listTiles(
      screenshot,
      { tiles: true, maxSide: 3_000, maxBytes: 500_000, type: 'webp' },
      'https://p.test',
    )!
    expect(tiles).toHaveLength(3)
    expect(tiles[1]).toEqual({
      url: `https://p.test/images/${screenshot.image}?tile=1&maxSide=3000&maxBytes=500000&type=webp`,
      x: 0,
      y: expect.closeTo(1_281, -1),
      width: 1_280,
      height: expect.closeTo(1_430, -2),
      scale: 2,
    })
  })

  it('counts from the place of the screenshot, and has the scale of the images', () => {
    const area = { x: -40, y: 300, width: 1_280, height: 4_000 }
    const tiles = listTiles({ ...screenshot, area }, { width: 640, maxSide: 640 }, 'https://p.test')!
    expect([tiles[0]!.x, tiles[0]!.y, tiles[0]!.scale]).toEqual([-40, 300, 0.5])
    const last = tiles.at(-1)!
    expect([last.x + last.width, last.y + last.height]).toEqual([1_240, 4_300])
  })

  it('is absent if the place of the screenshot is unknown', () => {
    const { area: _, ...without } = screenshot
    expect(listTiles(without, { tiles: true }, 'https://p.test')).toBeUndefined()
  })
})
