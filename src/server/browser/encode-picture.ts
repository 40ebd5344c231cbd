import type { Sharp } from 'sharp'
import { assemblePicture, sizeOf, type AssembledPicture } from './assemble-picture.js'
import type { ImageType } from './capture.js'
import type { RawPicture } from './take-picture.js'

export interface EncodedPicture {
  bytes: Buffer
  width: number
  height: number
}

export interface EncodeOptions {
  type: ImageType
  /** 1..100, lossy types only. */
  quality: number
}

/** Pixels that the file formats can hold on a side; for AVIF, what decoders are sure to take. */
export const MAX_SIDE: Readonly<Record<ImageType, number>> = {
  jpg: 65_500,
  png: Infinity,
  webp: 16_383,
  avif: 16_384,
}

/** Up to here AVIF takes the better of two efforts: twice the time, two thirds of the bytes. */
const SMALL_AVIF_PIXELS = 4_500_000

/** Gives what the browser drew its final form; the size is read from the bytes themselves. */
export async function encodePicture(raw: RawPicture, options: EncodeOptions): Promise<EncodedPicture> {
  const [only] = raw.tiles
  if (only && raw.isEncoded && !raw.crop && raw.tiles.length === 1) return { bytes: only, ...(await sizeOf(only)) }
  return encodeAssembled(await assemblePicture(raw, { maxHeight: MAX_SIDE[options.type] }), options)
}

export async function encodeAssembled(
  { image, width, height }: AssembledPicture,
  { type, quality }: EncodeOptions,
): Promise<EncodedPicture> {
  const isSmall = width * height <= SMALL_AVIF_PIXELS
  const { data, info } = await encoders[type](image, { quality, isSmall }).toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height }
}

const encoders: Record<ImageType, (image: Sharp, options: { quality: number; isSmall: boolean }) => Sharp> = {
  jpg: (image, { quality }) => image.flatten({ background: '#fff' }).jpeg({ quality }),
  png: (image) => image.png({ compressionLevel: 6 }),
  webp: (image, { quality }) => image.webp({ quality, effort: 1 }),
  avif: (image, { quality, isSmall }) => image.avif({ quality, effort: isSmall ? 1 : 0 }),
}
