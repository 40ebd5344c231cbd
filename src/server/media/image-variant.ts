import sharp, { type Sharp } from 'sharp'
import { imageWidths } from '../../card/index.js'
import { PageError } from '../../query/index.js'
import type { SingleFlight } from '../jobs/index.js'
import type { ImageName, Store } from '../store/index.js'

/** The query parameters of a variant: a stored image in another width or format. */
export interface VariantParameters {
  /** Pixels, one of `imageWidths`; images are never enlarged. Default: the image's own width. */
  width?: string | undefined
  /** Default: the image's own type. */
  type?: string | undefined
}

export interface VariantContext {
  store: Store
  flights: SingleFlight<ImageName | undefined>
  /** Limits how many conversions run at the same time. */
  limit: <Result>(convert: () => Promise<Result>) => Promise<Result>
  clock: () => number
  signal: AbortSignal
}

/** File extensions of the formats that images are converted to. */
export const variantTypes = ['jpg', 'png', 'webp', 'avif'] as const
type VariantType = (typeof variantTypes)[number]

const ENTRY_TTL_MS = 31 * 86_400_000
const TIMEOUT_S = 20
const QUALITY = 80
/** Higher efforts take about a second per image and make small images hardly smaller. */
const AVIF_EFFORT = 2
/** Largest width and height that each format supports, pixels. */
const MAX_SIDE: Readonly<Record<VariantType, number>> = { jpg: 65_500, png: 100_000, webp: 16_383, avif: 65_535 }

/**
 * Returns a variant of a stored image; it is converted on first request and stored.
 *
 * @returns  Its name; `undefined` when the image itself is not in the store.
 * @throws   {PageError} `EINVALQUERY` for a width or type that is not offered.
 */
export async function imageVariant(
  image: ImageName,
  parameters: VariantParameters,
  { store, flights, limit, clock, signal }: VariantContext,
): Promise<ImageName | undefined> {
  const conversion = parseVariant(image, parameters)
  const { width, type, ownType } = conversion
  if (!width && type === ownType) return image

  const key = `variant ${image} ${width ?? 'own'} ${type}`
  const cached = await store.readEntry<ImageName>(key)
  if (cached) return cached.body
  const convertAndStore = async () => {
    const bytes = await store.readImage(image)
    if (!bytes) return undefined
    const converted = await convert(bytes, conversion)
    const name = converted ? await store.writeImage(converted, type) : image
    const createdAt = clock()
    await store.writeEntry(key, { createdAt, expiresAt: createdAt + ENTRY_TTL_MS, images: [name], body: name })
    return name
  }
  return flights.run(key, () => limit(convertAndStore), { signal })
}

interface Conversion {
  width: number | undefined
  type: VariantType
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

/** Returns `undefined` when the image already is the variant: encoding it again would only lose quality. */
async function convert(bytes: Uint8Array, { width, type, ownType }: Conversion): Promise<Buffer | undefined> {
  const image = sharp(bytes)
  const { width: ownWidth } = await image.metadata()
  if (type === ownType && width && width >= ownWidth) return undefined
  const size = {
    width: width ?? MAX_SIDE[type],
    height: MAX_SIDE[type],
    fit: 'inside',
    withoutEnlargement: true,
  } as const
  return encode(image.resize(size), type).timeout({ seconds: TIMEOUT_S }).toBuffer()
}

function encode(image: Sharp, type: VariantType): Sharp {
  switch (type) {
    case 'png':
      return image.png()
    case 'webp':
      return image.webp({ quality: QUALITY })
    case 'avif':
      return image.avif({ quality: QUALITY, effort: AVIF_EFFORT })
    default:
      // JPEG has no transparency: without a background, transparent pixels turn black.
      return image.flatten({ background: '#fff' }).jpeg({ quality: QUALITY })
  }
}

function invalidParameter(name: 'w' | 'type', offered: readonly (string | number)[]): PageError {
  const reason = `must be one of ${offered.join(', ')}`
  return new PageError('EINVALQUERY', `${name} ${reason}.`, { data: { [name]: reason } })
}
