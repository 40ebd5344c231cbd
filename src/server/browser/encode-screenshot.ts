import type { Sharp } from 'sharp'
import { assembleScreenshot, readImageSize, type DecodedImage } from './assemble-screenshot.js'
import type { ImageType } from './capture.js'
import type { RawScreenshot } from './take-screenshot.js'

export interface EncodedImage {
  bytes: Buffer
  width: number
  height: number
}

export interface EncodeOptions {
  type: ImageType
  /** 1..100, lossy types only. */
  quality: number
}

/** The longest side in pixels that each file format can store; for AVIF, that all decoders accept. */
export const MAX_SIDE: Readonly<Record<ImageType, number>> = {
  jpg: 65_500,
  png: Infinity,
  webp: 16_383,
  avif: 16_384,
}

/** Up to this size AVIF uses the higher effort: twice the time, two thirds of the bytes. */
const SMALL_AVIF_PIXELS = 4_500_000

/** Encodes a screenshot, unless the browser has already done so; the size is read from the encoded bytes. */
export async function encodeScreenshot(raw: RawScreenshot, options: EncodeOptions): Promise<EncodedImage> {
  const [onlyTile] = raw.tiles
  const isFinished = raw.isEncoded && !raw.crop && raw.tiles.length === 1
  if (onlyTile && isFinished) return { bytes: onlyTile, ...(await readImageSize(onlyTile)) }
  return encodeImage(await assembleScreenshot(raw, { maxHeight: MAX_SIDE[options.type] }), options)
}

export async function encodeImage(
  { image, width, height }: DecodedImage,
  { type, quality }: EncodeOptions,
): Promise<EncodedImage> {
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
