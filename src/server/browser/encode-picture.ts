import sharp, { type Sharp } from 'sharp'
import type { PictureType } from './capture.js'
import type { RawPicture } from './take-picture.js'

export interface EncodedPicture {
  bytes: Buffer
  width: number
  height: number
}

export interface EncodeOptions {
  type: PictureType
  /** 1..100, lossy types only. */
  quality: number
}

/** Pixels that the file formats can hold on a side; for AVIF, what decoders are sure to take. */
export const MAX_SIDE: Readonly<Record<PictureType, number>> = {
  jpg: 65_500,
  png: Infinity,
  webp: 16_383,
  avif: 16_384,
}

/** Up to here AVIF takes the better of two efforts: twice the time, two thirds of the bytes. */
const SMALL_AVIF_PIXELS = 4_500_000

/** Gives what the browser drew its final form; the size is read from the bytes themselves. */
export async function encodePicture(
  { tiles, isEncoded, crop }: RawPicture,
  { type, quality }: EncodeOptions,
): Promise<EncodedPicture> {
  if (isEncoded && !crop && tiles.length === 1) return { bytes: tiles[0]!, ...(await sizeOf(tiles[0]!)) }
  const first = await sizeOf(tiles[0]!)
  const isJoined = tiles.length > 1
  const kept = isJoined ? await joinedArea(tiles, { type, ...first }) : crop
  const whole = sharp(isJoined ? tiles : tiles[0], {
    limitInputPixels: false,
    ...(isJoined && { join: { across: 1 } }),
  })
  const { width, height } = kept ?? first
  const isSmall = width * height <= SMALL_AVIF_PIXELS
  const image = encoders[type](kept ? whole.extract(kept) : whole, { quality, isSmall })
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height }
}

async function sizeOf(bytes: Buffer): Promise<{ width: number; height: number }> {
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
  return { width, height }
}

/** All tiles but the last are of one height; joined, the last one is given that height too, which is cut off again. */
async function joinedArea(
  tiles: readonly Buffer[],
  { type, width, height }: { type: PictureType; width: number; height: number },
) {
  const last = await sizeOf(tiles.at(-1)!)
  return { left: 0, top: 0, width, height: Math.min(MAX_SIDE[type], height * (tiles.length - 1) + last.height) }
}

const encoders: Record<PictureType, (image: Sharp, options: { quality: number; isSmall: boolean }) => Sharp> = {
  jpg: (image, { quality }) => image.flatten({ background: '#fff' }).jpeg({ quality }),
  png: (image) => image.png({ compressionLevel: 6 }),
  webp: (image, { quality }) => image.webp({ quality, effort: 1 }),
  avif: (image, { quality, isSmall }) => image.avif({ quality, effort: isSmall ? 1 : 0 }),
}
