import { fields, isPageError } from '../../query/index.js'
import { createFairQueue, type ReservedMemory, type Waiters } from '../budget/index.js'
import { busyError } from '../busy-error.js'
import { MAX_CONCURRENT_CONVERSIONS, type ConvertedImage, type ImageType } from '../images/index.js'
import { createSingleFlight, runOrTakeOver } from '../jobs/index.js'
import { hasErrorCode } from '../node-errors.js'
import type { Caller } from '../request-scope.js'
import type { ResultParts } from '../results/index.js'
import { subjectOfImage, type ImageName } from '../store/index.js'

/** A stored image in another width or format. */
export interface VariantParameters {
  /** Pixels, one of the offered widths; images are never enlarged. Default: the image's own width. */
  width?: number | undefined
  /** Default: the image's own type. */
  type?: ImageType | undefined
}

export interface ImageVariant {
  image: ImageName
  /** Pixels; `undefined` if the image itself is the variant. */
  size: { width: number; height: number } | undefined
}

/** Variants of stored images; each is converted on first request and stored. */
export interface ImageVariants {
  /**
   * Returns a variant; for a file of a type that is not converted, such as SVG, and for an animation: the file itself.
   *
   * @returns  `undefined` when the image is not in the store.
   * @throws   {PageError} `EBUSY`, `ERATE`, `ETIMEOUT`, `ETOOLARGE`, `EFATAL`.
   */
  resolve(image: ImageName, parameters: VariantParameters, caller: Caller): Promise<ImageVariant | undefined>
}

/** The parts that convert and store images. */
type VariantParts = Pick<ResultParts, 'store' | 'images' | 'byteBudget' | 'clock'>

/** File extensions of the formats that images are converted to. */
export const variantTypes = fields['variant.type'].values

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
    async resolve(image, { width, type: requestedType }, caller) {
      const ownType = variantTypes.find((offered) => image.endsWith(`.${offered}`))
      const type = requestedType ?? ownType
      if (!ownType || !type || (!width && type === ownType)) return { image, size: undefined }

      const key = `variant ${image} ${width ?? 'own'} ${type}`
      const cached = await store.entries.readEntry<ImageVariant>(key)
      if (cached) return cached.body
      const { client, signal } = caller
      const conversion = { key, image, width, type, isOwnType: type === ownType }
      const convertInTurn = (flight: AbortSignal, waiters: Waiters) => {
        const convert = (memory: ReservedMemory) =>
          convertAndStore(conversion, { ...caller, signal: flight }, memory, parts)
        return queue.run({ client, waiters }, () => parts.byteBudget.run(client, convert), flight)
      }
      return runOrTakeOver(flights, key, convertInTurn, { signal, waiter: { client } })
    },
  }
}

interface Conversion {
  /** Key of the entry in the store. */
  key: string
  image: ImageName
  width: number | undefined
  type: ImageType
  isOwnType: boolean
}

async function convertAndStore(
  { key, image, width, type, isOwnType }: Conversion,
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
    converted = await images.convertVariant(bytes, { width, type, isOwnType, signal })
  } catch (error) {
    // The file may have been evicted since it was opened.
    const isLost = hasErrorCode(error, 'ENOENT')
    if (isLost || (isPageError(error) && error.code === 'EBUSY')) await refund()
    if (isLost) return undefined
    throw error
  }
  const variant = converted
    ? {
        image: await store.images.writeImage(converted.bytes, type, owner),
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
