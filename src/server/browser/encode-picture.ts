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

/** Up to here AVIF takes the better of two efforts: twice the time, two thirds of the bytes. */
const SMALL_AVIF_PIXELS = 4_500_000

/** Gives what the browser drew its final form; the size is read from the bytes themselves. */
export async function encodePicture(
  { tiles, isEncoded, crop }: RawPicture,
  { type, quality }: EncodeOptions,
): Promise<EncodedPicture> {
  if (isEncoded && !crop && tiles.length === 1) return { bytes: tiles[0]!, ...(await sizeOf(tiles[0]!)) }
  const whole =
    tiles.length > 1
      ? sharp(tiles, { join: { across: 1 }, limitInputPixels: false })
      : sharp(tiles[0], { limitInputPixels: false })
  const { width, height } = crop ?? (await sizeOf(tiles[0]!))
  const isSmall = tiles.length === 1 && width * height <= SMALL_AVIF_PIXELS
  const image = encoders[type](crop ? whole.extract(crop) : whole, { quality, isSmall })
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height }
}

async function sizeOf(bytes: Buffer): Promise<{ width: number; height: number }> {
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
  return { width, height }
}

const encoders: Record<PictureType, (image: Sharp, options: { quality: number; isSmall: boolean }) => Sharp> = {
  jpg: (image, { quality }) => image.flatten({ background: '#fff' }).jpeg({ quality }),
  png: (image) => image.png({ compressionLevel: 6 }),
  webp: (image, { quality }) => image.webp({ quality, effort: 1 }),
  avif: (image, { quality, isSmall }) => image.avif({ quality, effort: isSmall ? 1 : 0 }),
}
