import sharp, { type Sharp } from 'sharp'
import type { RawPicture } from './take-picture.js'

/** A picture that is still to be encoded. */
export interface AssembledPicture {
  image: Sharp
  width: number
  height: number
}

/** Puts what the browser drew together. @param maxHeight Pixels; what is below is cut off. */
export async function assemblePicture(
  { tiles, crop }: RawPicture,
  { maxHeight = Infinity }: { maxHeight?: number } = {},
): Promise<AssembledPicture> {
  const first = await sizeOf(tiles[0]!)
  const isJoined = tiles.length > 1
  const kept = isJoined ? await joinedArea(tiles, { ...first, maxHeight }) : crop
  const image = sharp(isJoined ? tiles : tiles[0], {
    limitInputPixels: false,
    ...(isJoined && { join: { across: 1 } }),
  })
  const { width, height } = kept ?? first
  return { image: kept ? image.extract(kept) : image, width, height }
}

export async function sizeOf(bytes: Buffer): Promise<{ width: number; height: number }> {
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
  return { width, height }
}

/** All tiles but the last are of one height; joined, the last one is given that height too, which is cut off again. */
async function joinedArea(
  tiles: readonly Buffer[],
  { width, height, maxHeight }: { width: number; height: number; maxHeight: number },
) {
  const last = await sizeOf(tiles.at(-1)!)
  return { left: 0, top: 0, width, height: Math.min(maxHeight, height * (tiles.length - 1) + last.height) }
}
