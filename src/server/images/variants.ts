import sharp, { type Sharp } from 'sharp'
import { limitsOf, SMALL_AVIF_PIXELS, type ImageType } from './image-formats.js'
import { openImage } from './open-image.js'

export interface Conversion {
  /** Pixels; images are never enlarged. Default: the image's own width. */
  width: number | undefined
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
/** The kernel for scaling: to the eye as sharp as Lanczos, and the image is decoded and scaled in four fifths of the time. */
const KERNEL = 'cubic'

/**
 * @returns  `undefined` when the image already is the variant, because encoding it again would only lose quality, and for an
 *           animation, of which only the first frame would be left.
 * @throws   {RangeError} for a variant of more than 25 MB.
 */
export async function convertVariant(
  bytes: Uint8Array,
  { width, type, isOwnType }: Conversion,
): Promise<ConvertedImage | undefined> {
  const { image, metadata: own } = await openImage(bytes)
  if ((isOwnType && width && width >= own.width) || (own.pages ?? 1) > 1) return undefined
  return encodeVariant(image, own, { width, type })
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

/**
 * Scales and encodes an image. It is never enlarged, and made smaller than requested if its type cannot have as many pixels.
 *
 * @param own    The size of the image, pixels.
 * @param width  Pixels; default: its own width.
 */
async function encodeVariant(
  image: Sharp,
  own: { width: number; height: number },
  { width = own.width, type }: { width: number | undefined; type: ImageType },
): Promise<ConvertedImage> {
  const { maxPixels, maxSide } = limitsOf(type)
  const pixelScale = Math.min(1, Math.sqrt(maxPixels / (own.width * own.height)))
  const size = {
    width: Math.min(width, maxSide, Math.floor(own.width * pixelScale)),
    height: Math.min(own.height, maxSide),
    fit: 'inside',
    withoutEnlargement: true,
  } as const
  const scale = Math.min(1, size.width / own.width, size.height / own.height)
  const isSmall = own.width * own.height * scale ** 2 <= SMALL_AVIF_PIXELS
  const { data, info } = await encode(image.resize(size), type, isSmall).toBuffer({ resolveWithObject: true })
  if (data.length > MAX_BYTES)
    throw new RangeError(
      `The image would be larger than ${MAX_BYTES / 1e6} MB as ${type}. Request a smaller width or another type.`,
    )
  return { bytes: data, width: info.width, height: info.height }
}

function encode(image: Sharp, type: ImageType, isSmall: boolean): Sharp {
  switch (type) {
    case 'png':
      return image.png()
    case 'webp':
      return image.webp({ quality: QUALITY, effort: WEBP_EFFORT })
    case 'avif':
      return image.avif({ quality: QUALITY, effort: isSmall ? AVIF_EFFORT : 0 })
    default:
      // JPEG has no transparency: without a background, transparent pixels turn black.
      return image.flatten({ background: '#fff' }).jpeg({ quality: QUALITY })
  }
}
