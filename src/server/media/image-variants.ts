import { fields, PageError } from '../../query/index.js'
import { createFairQueue, type ByteBudget, type ReservedMemory } from '../budget/index.js'
import { MAX_CONCURRENT_CONVERSIONS, type ConvertedImage, type Images, type ImageType } from '../images/index.js'
import { createSingleFlight, runWithQuota } from '../jobs/index.js'
import { subjectOfImage, type ImageName, type PurgeableStore } from '../store/index.js'

/** A stored image in another width or format. */
export interface VariantParameters {
  /** Pixels, one of the offered widths; images are never enlarged. Default: the image's own width. */
  width?: number | undefined
  /** Default: the image's own type. */
  type?: ImageType | undefined
}

export interface ImageVariant {
  image: ImageName
  /** Pixels; `undefined` where the image itself is the variant. */
  size: { width: number; height: number } | undefined
}

export interface VariantRequest {
  /** Whose turn in the queue it is. */
  client: string
  signal: AbortSignal
  /** Called before an image is converted on behalf of this client; may throw `ERATE`. */
  consumeQuota: () => Promise<unknown>
}

/** Variants of stored images; each is converted on first request and stored. */
export interface ImageVariants {
  /**
   * Returns a variant; for a file of a type that is not converted, such as SVG, and for an animation: the file itself.
   *
   * @returns  `undefined` when the image is not in the store.
   * @throws   {PageError} `EBUSY`, `ERATE`, `ETIMEOUT`, `ETOOLARGE`, `EFATAL`.
   */
  resolve(image: ImageName, parameters: VariantParameters, request: VariantRequest): Promise<ImageVariant | undefined>
}

export interface VariantContext {
  store: PurgeableStore
  images: Images
  byteBudget: ByteBudget
  /** The owner of what is stored because of a client. */
  ownerOf: (client: string) => string
  clock: () => number
}

/** File extensions of the formats that images are converted to. */
export const variantTypes = fields['variant.type'].values

const ENTRY_TTL_MS = 31 * 86_400_000
/** Of the conversions at the same time, for clients that have no other. */
const RESERVE = 1
/** The images of waiting conversions are not in memory yet. */
const MAX_WAITING_CONVERSIONS = 200
const BUSY_RETRY_MS = 2_000

export function createImageVariants(context: VariantContext): ImageVariants {
  const { store } = context
  const flights = createSingleFlight<ImageVariant | undefined>()
  const queue = createFairQueue({
    concurrency: MAX_CONCURRENT_CONVERSIONS - RESERVE,
    reserve: RESERVE,
    maxWaiting: MAX_WAITING_CONVERSIONS,
    maxWaitingPerClient: MAX_WAITING_CONVERSIONS / 2,
    fullError: busyError,
  })
  return {
    async resolve(image, { width, type: requestedType }, { client, signal, consumeQuota }) {
      const ownType = variantTypes.find((offered) => image.endsWith(`.${offered}`))
      const type = requestedType ?? ownType
      if (!ownType || !type || (!width && type === ownType)) return { image, size: undefined }

      const key = `variant ${image} ${width ?? 'own'} ${type}`
      const cached = await store.readEntry<ImageVariant>(key)
      if (cached) return cached.body
      const owner = context.ownerOf(client)
      const conversion = { key, image, width, type, owner, isOwnType: type === ownType, consumeQuota }
      const convertInTurn = (flight: AbortSignal) =>
        queue.run(
          { client },
          () =>
            context.byteBudget.run(client, (memory) =>
              convertAndStore({ ...conversion, signal: flight }, { ...context, memory }),
            ),
          flight,
        )
      return runWithQuota(flights, key, convertInTurn, { signal })
    },
  }
}

interface Conversion extends Pick<VariantRequest, 'signal' | 'consumeQuota'> {
  /** Key of the entry in the store. */
  key: string
  image: ImageName
  width: number | undefined
  type: ImageType
  owner: string
  isOwnType: boolean
}

async function convertAndStore(
  { key, image, owner, consumeQuota, ...conversion }: Conversion,
  { store, images, clock, memory }: VariantContext & { memory: ReservedMemory },
): Promise<ImageVariant | undefined> {
  const original = await store.openImage(image)
  if (!original) return undefined
  // The variant, which hardly ever has more bytes than its original.
  await memory.reserve(original.size, conversion.signal)
  await consumeQuota()
  const lastPurge = store.lastPurge()
  const bytes = original.stream({ start: 0, end: original.size - 1 })
  const converted = await images.convertVariant(bytes, conversion)
  const variant = converted
    ? await writeVariant(converted, conversion.type, { store, owner })
    : { image, size: undefined }
  const createdAt = clock()
  const expiresAt = createdAt + ENTRY_TTL_MS
  const subjects = [subjectOfImage(image)]
  await store.writeEntry(key, {
    createdAt,
    expiresAt,
    images: [variant.image],
    owner,
    subjects,
    lastPurge,
    body: variant,
  })
  // It may have been purged since it was read.
  if (await store.openImage(image)) return variant
  await store.deleteImages([variant.image], { isShared: true })
  return undefined
}

const writeVariant = async (
  { bytes, width, height }: ConvertedImage,
  type: ImageType,
  { store, owner }: { store: PurgeableStore; owner: string },
) => ({ image: await store.writeImage(bytes, type, owner), size: { width, height } })

const busyError = () =>
  new PageError('EBUSY', 'Too many images are waiting to be converted; retry in a few seconds.', {
    retryAfterMs: BUSY_RETRY_MS,
  })
