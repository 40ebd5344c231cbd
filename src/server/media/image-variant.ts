import sharp, { type Sharp } from 'sharp'
import { PageError } from '../../query/index.js'
import type { SingleFlight } from '../jobs/index.js'
import type { ImageName, Store } from '../store/index.js'

/** A smaller or other form of a kept picture, as it was asked for. */
export interface Variant {
  /** Pixels, one of `VARIANT_WIDTHS`; never more than the picture has. Default: its own width. */
  width?: string | undefined
  /** Default: its own type. */
  type?: string | undefined
}

export interface VariantSources {
  store: Store
  flights: SingleFlight<ImageName | undefined>
  /** Runs what takes a processor, few at a time. */
  limit: <Result>(work: () => Promise<Result>) => Promise<Result>
  clock: () => number
  signal: AbortSignal
}

export const VARIANT_WIDTHS = [320, 640, 960, 1280, 1920]
const VARIANT_TYPES = ['jpg', 'png', 'webp', 'avif'] as const
type VariantType = (typeof VARIANT_TYPES)[number]

const KEEP_MS = 31 * 86_400_000
const TIMEOUT_S = 20
const QUALITY = 80
/** The slower efforts of AVIF cost a second each, and save little on a small picture. */
const AVIF_EFFORT = 2
/** What each format can hold. */
const MAX_SIDE: Readonly<Record<VariantType, number>> = { jpg: 65_500, png: 100_000, webp: 16_383, avif: 65_535 }

/**
 * Finds a variant of a kept picture; the first who asks for it has it made.
 *
 * @returns  Its name; `undefined` when the picture itself is not kept.
 * @throws   {PageError} `EINVALQUERY` for a width or type that is not offered.
 */
export async function imageVariant(
  image: ImageName,
  { width: asked, type: askedType }: Variant,
  { store, flights, limit, clock, signal }: VariantSources,
): Promise<ImageName | undefined> {
  const width = VARIANT_WIDTHS.find((offered) => String(offered) === asked)
  if (asked !== undefined && !width) throw refusal('w', `must be one of ${VARIANT_WIDTHS.join(', ')}`)
  const ownType = image.split('.')[1]
  const type = VARIANT_TYPES.find((offered) => offered === (askedType ?? ownType))
  if (!type) throw refusal('type', `must be one of ${VARIANT_TYPES.join(', ')}`)
  if (!width && type === ownType) return image

  const key = `variant ${image} ${width ?? 'own'} ${type}`
  const made = await store.readEntry<ImageName>(key)
  if (made) return made.body
  const make = async () => {
    const bytes = await store.readImage(image)
    if (!bytes) return undefined
    const smaller = await convert(bytes, { width, type, ownType })
    const name = smaller ? await store.writeImage(smaller, type) : image
    const createdAt = clock()
    await store.writeEntry<ImageName>(key, { createdAt, expiresAt: createdAt + KEEP_MS, images: [name], body: name })
    return name
  }
  return flights.run(key, () => limit(make), { signal })
}

interface Form {
  width: number | undefined
  type: VariantType
  ownType: string | undefined
}

/** `undefined` when the picture is the variant already: encoding it once more would only cost sharpness. */
async function convert(bytes: Uint8Array, { width, type, ownType }: Form): Promise<Buffer | undefined> {
  const picture = sharp(bytes)
  const { width: ownWidth } = await picture.metadata()
  if (type === ownType && width && width >= ownWidth) return undefined
  const fit = {
    width: width ?? MAX_SIDE[type],
    height: MAX_SIDE[type],
    fit: 'inside',
    withoutEnlargement: true,
  } as const
  return encode(picture.resize(fit), type).timeout({ seconds: TIMEOUT_S }).toBuffer()
}

function encode(picture: Sharp, type: VariantType): Sharp {
  switch (type) {
    case 'png':
      return picture.png()
    case 'webp':
      return picture.webp({ quality: QUALITY })
    case 'avif':
      return picture.avif({ quality: QUALITY, effort: AVIF_EFFORT })
    default:
      // What is transparent would turn black.
      return picture.flatten({ background: '#fff' }).jpeg({ quality: QUALITY })
  }
}

const refusal = (word: string, reason: string) =>
  new PageError('EINVALQUERY', `${word} ${reason}.`, { data: { [word]: reason } })
