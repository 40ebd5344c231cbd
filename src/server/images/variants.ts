import sharp, { type OutputInfo, type Sharp } from 'sharp'
import { limitsOf, SMALL_AVIF_PIXELS, type ImageType } from './image-formats.js'
import { openImage } from './open-image.js'

export interface Conversion {
  /** Pixels; images are never enlarged. Default: the image's own width. */
  width: number | undefined
  /** Pixels of the longer side at most. Default: its own. */
  maxSide?: number | undefined
  /** Bytes at most. Default: 25 MB, beyond which the conversion fails. */
  maxBytes?: number | undefined
  /** The part of the image, in its pixels, that the other options are about. Default: all of it. */
  area?: { left: number; top: number; width: number; height: number } | undefined
  type: ImageType
  /** Whether the image already has the type. */
  isOwnType: boolean
}

export interface ConvertedImage {
  bytes: Uint8Array
  /** Pixels. */
  width: number
  height: number
}

/** Each is in the memory of the service as a whole, before it is stored. */
const MAX_BYTES = 25_000_000
const QUALITY = 80
/** Higher efforts take up to twice the time for 3 % fewer bytes. */
const WEBP_EFFORT = 2
/** Higher efforts take about a second per image and make small images hardly smaller. */
const AVIF_EFFORT = 2
/** The highest effort takes up to four times the time for hardly fewer bytes. */
const PALETTE_EFFORT = 4
/** The kernel for scaling: to the eye as sharp as Lanczos, and the image is decoded and scaled in four fifths of the time. */
const KERNEL = 'cubic'
const LOSSY = [
  { quality: QUALITY, share: 1 },
  { quality: 65, share: 0.72 },
  { quality: 50, share: 0.55 },
] as const
/** What is tried for fewer bytes, before the image is made smaller; `share` as in `Step`. The second of PNG is 256 colours. */
const QUALITIES: Readonly<Record<ImageType, readonly Pick<Step, 'quality' | 'share'>[]>> = {
  jpg: LOSSY,
  webp: LOSSY,
  avif: LOSSY,
  png: [
    { quality: QUALITY, share: 1 },
    { quality: 50, share: 0.4 },
  ],
}
/** Each step has about three quarters of the pixels, and of the bytes, of the one before. */
const SIDE_PER_STEP = 0.86
/** Exponent: scaled images have more detail per pixel. */
const BYTES_PER_SIDE = 1.7
/** Pixels of the longer side at the last step. */
const LAST_SIDE = 16
/** Of an image that may have to be encoded several times within the time limit; a photograph of noise then takes 6 seconds of CPU. */
const MAX_ATTEMPTED_PIXELS: Readonly<Record<ImageType, number>> = {
  jpg: Infinity,
  webp: 32_000_000,
  png: 16_000_000,
  avif: 16_000_000,
}
/** A larger image is first encoded with few pixels, because large ones take most of the time. */
const LARGE_PIXELS = 4_000_000
const FIRST_PIXELS = 1_000_000
/** Attempts of which the next is estimated; further ones halve what is left. */
const MAX_ESTIMATES = 4

/**
 * @returns  `undefined` when the image already is the variant, because encoding it again would only lose quality; for an animation, of
 *           which only the first frame would be left; and for an image that browsers may draw although it cannot be decoded here: one
 *           with more than 64 million pixels, or whose end is missing. An animation above a limit is its first frame.
 * @throws   {RangeError} for a variant of more than 25 MB, and for an image above a limit that cannot be decoded.
 */
export async function convertVariant(bytes: Uint8Array, conversion: Conversion): Promise<ConvertedImage | undefined> {
  const { width = Infinity, maxSide = Infinity, maxBytes = Infinity, area, isOwnType } = conversion
  // Until its size is known.
  let isAboveLimit = area !== undefined || maxSide < Infinity || bytes.byteLength > maxBytes
  try {
    const { image, metadata: own } = await openImage(bytes)
    if (area) return await encodeVariant(image.extract(area), area, conversion)
    isAboveLimit = Math.max(own.width, own.height) > maxSide || bytes.byteLength > maxBytes
    const isAnimation = (own.pages ?? 1) > 1
    if (!isAboveLimit && (isAnimation || (isOwnType && width >= own.width))) return undefined
    return await encodeVariant(image, own, conversion)
  } catch (error) {
    if (error instanceof RangeError) throw error
    if (isAboveLimit)
      throw new RangeError('The image is above a limit of its variant, and cannot be decoded. Embed another image.', {
        cause: error,
      })
    return undefined
  }
}

/**
 * Converts an image into several variants. It is decoded once and scaled once to each width, which takes most of the time of a
 * small variant.
 *
 * @param variants  All with a width.
 * @returns         In their order; `undefined` as `convertVariant` says.
 * @throws          {RangeError} for a variant of more than 25 MB.
 */
export async function convertVariants(
  bytes: Uint8Array,
  variants: readonly (Conversion & { width: number })[],
): Promise<(ConvertedImage | undefined)[]> {
  const { image, metadata: own } = await openImage(bytes)
  if ((own.pages ?? 1) > 1) return variants.map(() => undefined)
  const converted: (ConvertedImage | undefined)[] = variants.map(() => undefined)
  let larger = image
  for (const width of descending(variants.map((variant) => Math.min(variant.width, own.width)))) {
    const { data, info } = await larger.resize({ width, kernel: KERNEL }).raw().toBuffer({ resolveWithObject: true })
    const scaled = () => sharp(data, { raw: info })
    larger = scaled()
    for (const [index, { isOwnType, ...variant }] of variants.entries()) {
      const isOwn = isOwnType && variant.width >= own.width
      if (!isOwn && Math.min(variant.width, own.width) === width)
        converted[index] = await encodeVariant(scaled(), info, variant)
    }
  }
  return converted
}

const descending = (widths: readonly number[]): number[] => [...new Set(widths)].toSorted((a, b) => b - a)

interface Encoding {
  type: ImageType
  quality?: number
  /** Of the image that is encoded. */
  pixels: number
}

interface EncodedImage {
  data: Buffer
  info: OutputInfo
}

/** Pixels. */
interface Size {
  width: number
  height: number
}

/**
 * Scales and encodes an image. It is never enlarged, and made smaller than requested if its type cannot have as many pixels.
 *
 * @param own  The size of the image.
 */
async function encodeVariant(
  image: Sharp,
  own: Size,
  conversion: Omit<Conversion, 'isOwnType'>,
): Promise<ConvertedImage> {
  const { maxBytes, type } = conversion
  const { size, pixels } = scaledSize(own, conversion)
  const scaled = image.resize({ ...size, fit: 'inside', withoutEnlargement: true })
  const { data, info } = maxBytes
    ? await encodeWithin(maxBytes, await scaled.raw().toBuffer({ resolveWithObject: true }), type)
    : await encode(scaled, { type, pixels }).toBuffer({ resolveWithObject: true })
  if (data.length > MAX_BYTES)
    throw new RangeError(
      `The image would be larger than ${MAX_BYTES / 1e6} MB as ${type}. Request a smaller width or another type.`,
    )
  return { bytes: data, width: info.width, height: info.height }
}

/** The box that a variant fits in, and how many pixels it has there. */
function scaledSize(
  own: Size,
  { width = own.width, maxSide = Infinity, maxBytes, type }: Omit<Conversion, 'isOwnType'>,
): { size: Size; pixels: number } {
  const limits = limitsOf(type)
  const longest = Math.min(maxSide, limits.maxSide)
  const maxPixels = Math.min(limits.maxPixels, maxBytes ? MAX_ATTEMPTED_PIXELS[type] : Infinity)
  const pixelScale = Math.min(1, Math.sqrt(maxPixels / (own.width * own.height)))
  const size = {
    width: Math.min(width, longest, Math.floor(own.width * pixelScale)),
    height: Math.min(own.height, longest),
  }
  const scale = Math.min(1, size.width / own.width, size.height / own.height)
  return { size, pixels: own.width * own.height * scale ** 2 }
}

/** How an image is encoded to have fewer bytes. */
interface Step extends Size {
  quality: number
  /** Its bytes relative to those of the first step, as they are in most images. */
  share: number
}

/** From the image as it is to a file that is below every limit, whatever it shows: first in lower quality, then ever smaller. */
function stepsFrom({ width, height }: Size, type: ImageType): Step[] {
  const steps = QUALITIES[type].map((quality) => ({ ...quality, width, height }))
  const { quality, share } = steps.at(-1)!
  const longest = Math.max(width, height)
  for (let scale = SIDE_PER_STEP; longest * scale > LAST_SIDE * SIDE_PER_STEP; scale *= SIDE_PER_STEP) {
    const sideOf = (side: number) => Math.max(1, Math.round(side * scale))
    steps.push({ quality, width: sideOf(width), height: sideOf(height), share: share * scale ** BYTES_PER_SIDE })
  }
  return steps
}

/**
 * Encodes an image into at most so many bytes, with as much quality and as many pixels as possible. Most images are encoded two or
 * three times, because the bytes of one attempt tell where the next one should be.
 *
 * @param pixels  The image in its largest size.
 */
async function encodeWithin(maxBytes: number, pixels: EncodedImage, type: ImageType): Promise<EncodedImage> {
  const { data, info } = pixels
  const steps = stepsFrom(info, type)
  const last = steps.length - 1
  const encodeAt = ({ quality, width, height }: Step): Promise<EncodedImage> => {
    const image = sharp(data, { raw: info }).resize({ width, height, fit: 'fill', kernel: KERNEL })
    return encode(image, { type, quality, pixels: width * height }).toBuffer({ resolveWithObject: true })
  }
  const isLarge = info.width * info.height > LARGE_PIXELS
  let at = isLarge ? steps.findIndex(({ width, height }) => width * height <= FIRST_PIXELS) : 0
  let best: EncodedImage | undefined
  // The steps that may be better than the best one.
  let [from, to] = [0, last]
  for (let attempts = 1; ; attempts++) {
    const encoded = await encodeAt(steps[at]!)
    const bytesPerShare = encoded.data.length / steps[at]!.share
    const estimate = steps.findIndex(({ share }) => share * bytesPerShare <= maxBytes)
    const isWithin = encoded.data.length <= maxBytes || at === last
    if (isWithin) {
      best = encoded
      to = at - 1
    } else from = at + 1
    if (best && (from > to || (isWithin && estimate >= at) || attempts >= MAX_ESTIMATES)) return best
    const next = attempts < MAX_ESTIMATES && estimate >= 0 ? estimate : Math.floor((from + to) / 2)
    at = Math.min(Math.max(next, from), to)
  }
}

function encode(image: Sharp, { type, quality = QUALITY, pixels }: Encoding): Sharp {
  switch (type) {
    case 'png':
      // PNG has no quality but its number of colours.
      return quality < QUALITY ? image.png({ palette: true, effort: PALETTE_EFFORT }) : image.png()
    case 'webp':
      return image.webp({ quality, effort: WEBP_EFFORT })
    case 'avif':
      return image.avif({ quality, effort: pixels <= SMALL_AVIF_PIXELS ? AVIF_EFFORT : 0 })
    default:
      // JPEG has no transparency: without a background, transparent pixels turn black.
      return image.flatten({ background: '#fff' }).jpeg({ quality })
  }
}
