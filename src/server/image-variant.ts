import sharp from 'sharp'
import { PageError } from '../query/index.js'
import type { SingleFlight } from './jobs/index.js'
import type { ImageName, Store } from './store/index.js'

/** A smaller or other form of a kept picture. */
export interface Variant {
  /** Pixels; never more than the picture has. Default: its own width. */
  width?: number | undefined
  /** Default: its own type. */
  type?: string | undefined
}

export const VARIANT_WIDTHS = [320, 640, 960, 1280, 1920]
export const VARIANT_TYPES = ['jpg', 'png', 'webp', 'avif']

const KEEP_MS = 31 * 86_400_000
const QUALITY = 80
/** The slower efforts of AVIF cost a second each, and save little on a small picture. */
const AVIF_EFFORT = 2

/**
 * Finds a variant of a kept picture; the first who asks for it has it made.
 *
 * @returns  Its name; `undefined` when the picture itself is not kept.
 * @throws   {PageError} `EINVALQUERY` for a width or type that is not offered.
 */
export async function imageVariant(
  image: ImageName,
  variant: Variant,
  {
    store,
    flights,
    clock,
    signal,
  }: { store: Store; flights: SingleFlight<ImageName | undefined>; clock: () => number; signal: AbortSignal },
): Promise<ImageName | undefined> {
  const ownType = image.split('.')[1]!
  const { width, type = ownType } = variant
  if (width !== undefined && !VARIANT_WIDTHS.includes(width))
    throw refusal('w', `must be one of ${VARIANT_WIDTHS.join(', ')}`)
  if (!VARIANT_TYPES.includes(type)) throw refusal('type', `must be one of ${VARIANT_TYPES.join(', ')}`)
  if (width === undefined && type === ownType) return image

  const key = `variant ${image} ${width ?? 'own'} ${type}`
  const made = await store.readAnswer<ImageName>(key)
  if (made) return made.body
  return flights.run(
    key,
    async () => {
      const bytes = await store.readImage(image)
      if (!bytes) return undefined
      const name = await store.writeImage(await resize(bytes, width, type), type)
      const madeAt = clock()
      await store.writeAnswer<ImageName>(key, { madeAt, expiresAt: madeAt + KEEP_MS, images: [name], body: name })
      return name
    },
    { signal },
  )
}

function resize(bytes: Uint8Array, width: number | undefined, type: string): Promise<Buffer> {
  const picture = sharp(bytes).resize({ width, withoutEnlargement: true })
  switch (type) {
    case 'png':
      return picture.png().toBuffer()
    case 'webp':
      return picture.webp({ quality: QUALITY }).toBuffer()
    case 'avif':
      return picture.avif({ quality: QUALITY, effort: AVIF_EFFORT }).toBuffer()
    default:
      return picture.jpeg({ quality: QUALITY }).toBuffer()
  }
}

const refusal = (word: string, reason: string) =>
  new PageError('EINVALQUERY', `${word} ${reason}.`, { data: { [word]: reason } })
