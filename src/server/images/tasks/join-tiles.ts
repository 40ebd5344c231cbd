import sharp, { type Sharp } from 'sharp'
import { MAX_PIXELS } from '../image-limits.js'

/** What the browser rendered: one image, or several tiles from top to bottom. */
export interface ScreenshotTiles {
  tiles: readonly Uint8Array[]
  /** Whether the tiles already have the requested type and quality. */
  isEncoded: boolean
  /** The part of the only tile that belongs to the screenshot, in pixels; `undefined`: all of it. */
  crop: { left: number; top: number; width: number; height: number } | undefined
}

/** A decoded image that has yet to be encoded. */
export interface DecodedImage {
  image: Sharp
  width: number
  height: number
}

const LIMITS = { limitInputPixels: MAX_PIXELS }
/** Joining pads the last tile, which has at most a quarter of the pixels. */
const JOIN_LIMITS = { limitInputPixels: MAX_PIXELS * 1.25 }

/** Joins the tiles of a screenshot and crops it. @param maxHeight Pixels; the rest below is cut off. */
export async function joinTiles(
  { tiles, crop }: ScreenshotTiles,
  { maxHeight = Infinity }: { maxHeight?: number } = {},
): Promise<DecodedImage> {
  const first = await sharp(tiles[0], LIMITS).metadata()
  const isTiled = tiles.length > 1
  const area = isTiled ? await tiledArea(tiles, { ...first, maxHeight }) : crop
  const image = isTiled ? sharp([...tiles], { ...JOIN_LIMITS, join: { across: 1 } }) : sharp(tiles[0], LIMITS)
  const { width, height } = area ?? first
  return { image: area ? image.extract(area) : image, width, height }
}

/** Joining pads the last tile to the height of the others; the padding is not part of the area. */
async function tiledArea(
  tiles: readonly Uint8Array[],
  { width, height, maxHeight }: { width: number; height: number; maxHeight: number },
) {
  const last = await sharp(tiles.at(-1), LIMITS).metadata()
  return { left: 0, top: 0, width, height: Math.min(maxHeight, height * (tiles.length - 1) + last.height) }
}
