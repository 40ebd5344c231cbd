import { imageWidths } from '../../card/index.js'
import { PageError } from '../../query/index.js'
import type { FairQueue } from '../budget/index.js'
import type { Images, ImageType } from '../images/index.js'
import { runWithQuota, type SingleFlight } from '../jobs/index.js'
import { subjectOfImage, type ImageName, type PurgeableStore } from '../store/index.js'

/** The query parameters of a variant: a stored image in another width or format. */
export interface VariantParameters {
  /** Pixels, one of `imageWidths`; images are never enlarged. Default: the image's own width. */
  width?: string | undefined
  /** Default: the image's own type. */
  type?: string | undefined
}

export interface VariantContext {
  store: PurgeableStore
  images: Images
  flights: SingleFlight<ImageName | undefined>
  /** Limits how many conversions run at the same time, in all and of one client. */
  queue: FairQueue
  clock: () => number
  /** Whose turn in the queue it is. */
  client: string
  signal: AbortSignal
  /** Called before an image is converted on behalf of this client; may throw `ERATE`. */
  consumeQuota: () => Promise<unknown>
}

/** File extensions of the formats that images are converted to. */
export const variantTypes = ['jpg', 'png', 'webp', 'avif'] as const

const ENTRY_TTL_MS = 31 * 86_400_000

/**
 * Returns a variant of a stored image; it is converted on first request and stored.
 *
 * @returns  Its name; `undefined` when the image itself is not in the store.
 * @throws   {PageError} `EINVALQUERY` for a width or type that is not offered; `EBUSY`, `ERATE`, `ETIMEOUT`, `ETOOLARGE`, `EFATAL`.
 */
export async function imageVariant(
  image: ImageName,
  parameters: VariantParameters,
  { store, images, flights, queue, clock, client, signal, consumeQuota }: VariantContext,
): Promise<ImageName | undefined> {
  const { width, type, ownType } = parseVariant(image, parameters)
  if (!width && type === ownType) return image

  const key = `variant ${image} ${width ?? 'own'} ${type}`
  const cached = await store.readEntry<ImageName>(key)
  if (cached) return cached.body
  const convertAndStore = async (signal: AbortSignal) => {
    const bytes = await store.readImage(image)
    if (!bytes) return undefined
    await consumeQuota()
    const lastPurge = store.lastPurge()
    const converted = await images.convertVariant(bytes, { width, type, isOwnType: type === ownType, signal })
    const name = converted ? await store.writeImage(converted, type) : image
    const createdAt = clock()
    const expiresAt = createdAt + ENTRY_TTL_MS
    const subjects = [subjectOfImage(image)]
    await store.writeEntry(key, { createdAt, expiresAt, images: [name], subjects, lastPurge, body: name })
    // It may have been purged since it was read.
    if (await store.openImage(image)) return name
    await store.deleteImages([name], { isShared: true })
    return undefined
  }
  const convertInTurn = (signal: AbortSignal) => queue.run({ client }, () => convertAndStore(signal), signal)
  return runWithQuota(flights, key, convertInTurn, { signal })
}

interface Conversion {
  width: number | undefined
  type: ImageType
  ownType: string | undefined
}

function parseVariant(image: ImageName, parameters: VariantParameters): Conversion {
  const width = imageWidths.find((offered) => String(offered) === parameters.width)
  if (parameters.width !== undefined && !width) throw invalidParameter('w', imageWidths)
  const ownType = image.split('.')[1]
  const type = variantTypes.find((offered) => offered === (parameters.type ?? ownType))
  if (!type) throw invalidParameter('type', variantTypes)
  return { width, type, ownType }
}

function invalidParameter(name: 'w' | 'type', offered: readonly (string | number)[]): PageError {
  const reason = `must be one of ${offered.join(', ')}`
  return new PageError('EINVALQUERY', `${name} ${reason}.`, { data: { [name]: reason } })
}
