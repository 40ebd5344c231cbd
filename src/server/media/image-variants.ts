import { invalidParameter } from '../../query/help/index.js'
import { fields, isPageError, PageError } from '../../query/index.js'
import { createFairQueue, type ReservedMemory, type Waiters } from '../budget/index.js'
import { busyError } from '../busy-error.js'
import {
  MAX_CONCURRENT_CONVERSIONS,
  MAX_HEAD_BYTES,
  readImageHead,
  type ConvertedImage,
  type ImageType,
} from '../images/index.js'
import { createSingleFlight, runOrTakeOver } from '../jobs/index.js'
import { hasErrorCode } from '../node-errors.js'
import type { PageParts } from '../page/index.js'
import type { Caller } from '../request-scope.js'
import type { ResultParts } from '../results/index.js'
import { subjectOfImage, type ImageName, type ImageStore, type StoredImage } from '../store/index.js'
import { scaleOf, tilesOf, toStep, type TileArea } from './tiles.js'

/** A stored image in another size or format. */
export interface VariantParameters {
  /** Pixels, one of the offered widths; images are never enlarged. Default: the image's own width. */
  width?: number | undefined
  /** Pixels of the longer side at most. */
  maxSide?: number | undefined
  /** Bytes at most. */
  maxBytes?: number | undefined
  type?: ImageType | undefined
  /** The number of one tile of the image, which `maxSide` divides into tiles instead of limiting it. */
  tile?: number | undefined
  /** Without `type`, the type of an image that has to be converted. Default: the image's own type. */
  preferredType?: ImageType | undefined
}

export interface ImageVariant {
  image: ImageName
  /** Pixels; `undefined` if the image itself is the variant. */
  size: { width: number; height: number } | undefined
}

/** Variants of stored images; each is converted on first request and stored. */
export interface ImageVariants {
  /**
   * Returns a variant. A file of a type that is not converted, such as SVG, and an animation are returned as they are; above a limit,
   * an animation is its first frame.
   *
   * @returns  `undefined` when the image is not in the store.
   * @throws   {PageError} `EBUSY`, `ERATE`, `ETIMEOUT`, `ETOOLARGE` also for a file above a limit that is not converted, `EFATAL`;
   *           `EINVALQUERY` for a tile that the image does not have.
   */
  resolve(image: ImageName, parameters: VariantParameters, caller: Caller): Promise<ImageVariant | undefined>
}

/** The parts that convert and store images. */
type VariantParts = Pick<ResultParts, 'store' | 'clock'> & Pick<PageParts, 'images' | 'byteBudget'>

/** File extensions of the formats that images are converted to. */
export const variantTypes = fields['variant.type'].values

/** File extensions of what is converted: a GIF only if it is above a limit, because browsers draw all frames of the file itself. */
const CONVERTED: ReadonlySet<string> = new Set([...variantTypes, 'gif'])
/** The frame of a GIF has the same few colours, and may be transparent. */
const TYPE_OF_FRAME = 'png'

/** Conversions in addition, for clients that have none running. */
const RESERVE = 1
/** The images of waiting conversions are not in memory yet. */
const MAX_WAITING_CONVERSIONS = 200

export function createImageVariants(parts: VariantParts): ImageVariants {
  const { store } = parts
  const flights = createSingleFlight<ImageVariant | undefined>()
  const queue = createFairQueue({
    concurrency: MAX_CONCURRENT_CONVERSIONS - RESERVE,
    reserve: RESERVE,
    maxWaiting: MAX_WAITING_CONVERSIONS,
    maxWaitingPerClient: MAX_WAITING_CONVERSIONS / 2,
    fullError,
  })
  return {
    async resolve(image, parameters, caller) {
      const { width, type: requestedType, preferredType } = parameters
      const ownType = variantTypes.find((offered) => image.endsWith(`.${offered}`))
      const limits =
        parameters.tile === undefined
          ? await readLimits(image, parameters, store.images)
          : await readTile(image, parameters, store.images)
      if (!limits) return undefined
      const { maxSide, maxBytes, area, isAbove } = limits
      const isItself = !ownType || (!width && (requestedType ?? ownType) === ownType)
      if (isItself && !isAbove) return { image, size: undefined }

      const type = requestedType ?? preferredType ?? ownType ?? TYPE_OF_FRAME
      const key = `variant ${image} ${width ?? 'own'} ${type} ${maxSide ?? ''} ${maxBytes ?? ''}${area ? ` ${Object.values(area).join(',')}` : ''}`
      const cached = await store.entries.readEntry<ImageVariant>(key)
      if (cached) return cached.body
      const { client, signal } = caller
      const isOwnType = type === ownType
      const conversion = { key, image, width: limits.width ?? width, maxSide, maxBytes, area, type, isOwnType }
      const convertInTurn = (flight: AbortSignal, waiters: Waiters) => {
        const convert = (memory: ReservedMemory) =>
          convertAndStore(conversion, { ...caller, signal: flight }, memory, parts)
        return queue.run({ client, waiters }, () => parts.byteBudget.run(client, convert), flight)
      }
      return runOrTakeOver(flights, key, convertInTurn, { signal, waiter: { client } })
    },
  }
}

/** The limits of a request, as far as they concern an image. */
interface Limits {
  maxSide?: number | undefined
  maxBytes?: number | undefined
  /** The part of the image that is delivered. Default: all of it. */
  area?: TileArea | undefined
  /** Pixels of that part, instead of those of the image. */
  width?: number | undefined
  /** Whether the image itself is above one of them, or more than that part. */
  isAbove: boolean
}

/**
 * Compares a stored image with the limits of a request.
 *
 * @returns  `undefined` when it is not in the store.
 * @throws   {PageError} `ETOOLARGE` for an image above a limit that is not converted.
 */
async function readLimits(
  image: ImageName,
  { maxSide, maxBytes }: VariantParameters,
  images: ImageStore,
): Promise<Limits | undefined> {
  if (maxSide === undefined && maxBytes === undefined) return { isAbove: false }
  const original = await images.openImage(image)
  if (!original) return undefined
  const fileType = image.slice(image.indexOf('.') + 1)
  const isConverted = CONVERTED.has(fileType)
  // A vector image has every size.
  const side = maxSide === undefined || fileType === 'svg' ? 0 : await longerSide(original, isConverted ? Infinity : 0)
  const isAboveSide = maxSide !== undefined && side > maxSide
  const isAboveBytes = maxBytes !== undefined && original.size > maxBytes
  if (!isConverted && (isAboveSide || isAboveBytes))
    throw unconvertibleError(fileType, isAboveSide ? 'maxSide' : 'maxBytes')
  return {
    maxSide: isAboveSide ? toStep(maxSide) : undefined,
    maxBytes: maxBytes && toStep(maxBytes),
    isAbove: isAboveSide || isAboveBytes,
  }
}

/**
 * Finds a tile of a stored image. The only tile of a small image is the image within the limits.
 *
 * @returns  `undefined` when it is not in the store.
 * @throws   {PageError} `EINVALQUERY` for a tile that it does not have, `ETOOLARGE` for more than 100 of them.
 */
async function readTile(
  image: ImageName,
  { tile = 0, width, maxSide, maxBytes }: VariantParameters,
  images: ImageStore,
): Promise<Limits | undefined> {
  const original = await images.openImage(image)
  if (!original) return undefined
  const size = await sizeOf(original)
  const tiles = size ? tilesOf(size, { width, maxSide }) : []
  const area = tiles[tile]
  if (!size || !area) throw invalidParameter('tile', `must be below ${tiles.length}, the number of tiles of the image`)
  if (tiles.length === 1) return readLimits(image, { maxSide, maxBytes }, images)
  return {
    maxBytes: maxBytes && toStep(maxBytes),
    area,
    width: Math.max(1, Math.floor(area.width * scaleOf(size, width))),
    isAbove: true,
  }
}

/** Pixels as displayed. */
async function longerSide(image: StoredImage, unknown: number): Promise<number> {
  const { width, height } = (await sizeOf(image)) ?? {}
  return width && height ? Math.max(width, height) : unknown
}

/** Pixels as displayed; `undefined` if its first bytes do not state them. */
async function sizeOf(image: StoredImage): Promise<{ width: number; height: number } | undefined> {
  const head = new Response(image.stream({ start: 0, end: Math.min(image.size, MAX_HEAD_BYTES) - 1 }))
  const { width, height } = readImageHead(new Uint8Array(await head.arrayBuffer())) ?? {}
  return width && height ? { width, height } : undefined
}

const unconvertibleError = (fileType: string, limit: 'maxSide' | 'maxBytes') =>
  new PageError(
    'ETOOLARGE',
    `The image is above variant.${limit}, and files of the type ${fileType} are not converted. Raise the limit, or embed another image.`,
    { data: { [`variant.${limit}`]: `is exceeded by a file of the type ${fileType}` } },
  )

interface Conversion {
  /** Key of the entry in the store. */
  key: string
  image: ImageName
  width: number | undefined
  maxSide: number | undefined
  maxBytes: number | undefined
  area: TileArea | undefined
  type: ImageType
  isOwnType: boolean
}

async function convertAndStore(
  { key, image, ...conversion }: Conversion,
  { owner, signal, consumeQuota }: Caller,
  memory: ReservedMemory,
  { store, images, clock }: VariantParts,
): Promise<ImageVariant | undefined> {
  const original = await store.images.openImage(image)
  if (!original) return undefined
  // The variant, which hardly ever has more bytes than its original.
  await memory.reserve(original.size, signal)
  const refund = await consumeQuota('variant')
  const lastPurge = store.purges.lastPurge()
  const bytes = original.stream({ start: 0, end: original.size - 1 })
  let converted: ConvertedImage | undefined
  try {
    converted = await images.convertVariant(bytes, { ...conversion, signal })
  } catch (error) {
    // The file may have been evicted since it was opened.
    const isLost = hasErrorCode(error, 'ENOENT')
    if (isLost || (isPageError(error) && error.code === 'EBUSY')) await refund()
    if (isLost) return undefined
    throw error
  }
  const variant = converted
    ? {
        image: await store.images.writeImage(converted.bytes, conversion.type, owner),
        size: { width: converted.width, height: converted.height },
      }
    : { image, size: undefined }
  const createdAt = clock()
  await store.entries.writeEntry(key, {
    createdAt,
    expiresAt: createdAt + fields.ttl.max,
    images: [variant.image],
    owner,
    subjects: [subjectOfImage(image)],
    lastPurge,
    body: variant,
  })
  // It may have been purged since it was read.
  if (await store.images.openImage(image)) return variant
  await store.images.deleteImages([variant.image], { isShared: true })
  return undefined
}

const fullError = () => busyError('Too many images are waiting to be converted')
