import { PageError, type ScreenshotTile, type VariantOptions } from '../../query/index.js'
import type { ExtractionResult } from '../results/index.js'

/** Pixels. */
interface Size {
  width: number
  height: number
}

/** A part of an image, in pixels of the whole image. */
export interface TileArea extends Size {
  left: number
  top: number
}

/** Pixels of the longer side of a tile by default: models that read images accept them without scaling them down. */
const DEFAULT_SIDE = 1_568
/** The share of their longest side that neighbours have in common, which is more than a line of text. */
const OVERLAP = 0.1
export const MAX_TILES = 100

/**
 * Divides an image into tiles, row by row: as few as possible, all of the same size.
 *
 * @param variant  `width`: of the whole image, before it is divided. `maxSide`: of a tile.
 * @throws         {PageError} `ETOOLARGE` for more than 100 tiles.
 */
export function tilesOf(
  image: Size,
  { width = Infinity, maxSide = DEFAULT_SIDE }: { width?: number | undefined; maxSide?: number | undefined },
): TileArea[] {
  const side = Math.max(1, Math.floor(toStep(maxSide) / scaleOf(image, width)))
  const [columns, rows] = [divide(image.width, side), divide(image.height, side)]
  const count = columns.count * rows.count
  if (count > MAX_TILES) throw tooManyTiles(image, count)
  return Array.from({ length: count }, (_, index) => ({
    left: columns.startOf(index % columns.count),
    top: rows.startOf(Math.floor(index / columns.count)),
    width: columns.length,
    height: rows.length,
  }))
}

/** How much an image is scaled down to have this width; it is never enlarged. */
export const scaleOf = (image: Size, width = Infinity): number => Math.min(1, width / image.width)

/** Divides one side of an image into parts of the same length, which overlap. */
function divide(total: number, side: number): { count: number; length: number; startOf: (index: number) => number } {
  const overlap = Math.floor(side * OVERLAP)
  const count = total <= side ? 1 : Math.ceil((total - overlap) / (side - overlap))
  const length = Math.ceil((total + (count - 1) * overlap) / count)
  return { count, length, startOf: (index) => (index === 0 ? 0 : Math.round((index * (total - length)) / (count - 1))) }
}

const tooManyTiles = ({ width, height }: Size, count: number) =>
  new PageError(
    'ETOOLARGE',
    `An image of ${width} × ${height} pixels would have ${count} tiles, and at most ${MAX_TILES} are delivered. Raise variant.maxSide.`,
    { data: { 'variant.maxSide': `needs ${count} tiles` } },
  )

/**
 * The tiles of a stored screenshot, as the response lists them.
 *
 * @param base  URL of the service, without trailing slash.
 * @returns     `undefined` if it is not known where on its page the screenshot is.
 * @throws      {PageError} as `tilesOf` does.
 */
export function listTiles(
  { image, area, ...size }: NonNullable<ExtractionResult['screenshot']>,
  variant: VariantOptions,
  base: string,
): ScreenshotTile[] | undefined {
  if (!area?.width || !area.height) return undefined
  const { width, maxSide = DEFAULT_SIDE, maxBytes, type } = variant
  const parameters = Object.entries({ maxSide, maxBytes, w: width, type })
    .map(([name, value]) => (value === undefined ? '' : `&${name}=${value}`))
    .join('')
  // An image is rounded to whole pixels, so its sides differ slightly from those of its area.
  const [cssWidth, cssHeight] = [area.width / size.width, area.height / size.height]
  return tilesOf(size, variant).map((tile, index) => ({
    url: `${base}/images/${image}?tile=${index}${parameters}`,
    x: rounded(area.x + tile.left * cssWidth),
    y: rounded(area.y + tile.top * cssHeight),
    width: rounded(tile.width * cssWidth),
    height: rounded(tile.height * cssHeight),
    scale: rounded(scaleOf(size, width) / cssWidth),
  }))
}

const rounded = (number: number) => Math.round(number * 1_000) / 1_000

/**
 * Rounds a limit down, by at most 3 %, to one of 32 steps for each power of two: without them, an image would have as many variants
 * as there are numbers.
 */
export function toStep(limit: number): number {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(limit)) - 5)
  return limit - (limit % step)
}
