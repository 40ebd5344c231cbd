import sharp, { type Sharp } from 'sharp'
import type { Size } from './screenshot-geometry.js'
import type { RawScreenshot } from './take-screenshot.js'

/** A decoded image that has yet to be encoded. */
export interface DecodedImage extends Size {
  image: Sharp
}

/** Joins the tiles of a screenshot and crops it. @param maxHeight Pixels; the rest below is cut off. */
export async function assembleScreenshot(
  { tiles, crop }: RawScreenshot,
  { maxHeight = Infinity }: { maxHeight?: number } = {},
): Promise<DecodedImage> {
  const first = await readImageSize(tiles[0]!)
  const isTiled = tiles.length > 1
  const area = isTiled ? await tiledArea(tiles, { ...first, maxHeight }) : crop
  const image = sharp(isTiled ? tiles : tiles[0], {
    limitInputPixels: false,
    ...(isTiled && { join: { across: 1 } }),
  })
  const { width, height } = area ?? first
  return { image: area ? image.extract(area) : image, width, height }
}

export async function readImageSize(bytes: Buffer): Promise<Size> {
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
  return { width, height }
}

/** Joining pads the last tile to the height of the others; the padding is not part of the area. */
async function tiledArea(tiles: readonly Buffer[], { width, height, maxHeight }: Size & { maxHeight: number }) {
  const last = await readImageSize(tiles.at(-1)!)
  return { left: 0, top: 0, width, height: Math.min(maxHeight, height * (tiles.length - 1) + last.height) }
}
