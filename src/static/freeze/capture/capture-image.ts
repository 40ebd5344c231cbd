import type { Layout } from '../../../card/index.js'
import type { PageQuery } from '../../../query/index.js'
import {
  hasVariants,
  type ImageField,
  type ImageRequest,
  type PreviewSource,
  type SourceImage,
} from '../../preview-source/index.js'
import type { PreviewCache } from '../cache/open-preview-cache.js'
import type { FrozenFile, FrozenImage } from '../markup/index.js'

export type ImageType = NonNullable<ImageRequest['type']>

export interface CaptureContext {
  source: PreviewSource
  cache: PreviewCache
  /** File types of images, in addition to their own. */
  imageTypes: readonly ImageType[]
  signal: AbortSignal
}

interface CapturedField {
  query: PageQuery
  field: ImageField
  layout: Layout
  /** Pixels, where they are known. */
  size: { width: number; height: number } | undefined
}

/**
 * Cards and rows are at most 402 CSS pixels wide, images as wide as a column of text, on screens of up to 2 dppx. A JPEG is
 * decoded three times as fast for up to a third of its width: 853 of the 2,560 pixels of a default screenshot.
 */
const WIDTHS: Readonly<Record<Layout, readonly number[]>> = {
  card: [402, 804],
  row: [320, 640],
  image: [320, 640, 960, 1280],
  inline: [],
}
/** Width of the file for browsers that support none of the other types; one of the widths above, because scaling takes as long as encoding. */
const FALLBACK_WIDTHS: Readonly<Record<Layout, number>> = { card: 402, row: 320, image: 640, inline: 0 }
const ICON_WIDTH = 320
/** Largest image without variants, such as SVG; a larger one is left out. */
const MAX_UNCONVERTED_BYTES = 1_000_000

/**
 * Captures an image in the widths and types of a card.
 *
 * @returns  `undefined` for one that a card cannot show.
 * @throws   {PageError} as the service responds; {FreezeError} when the cache cannot be written.
 */
export async function captureImage(
  { query, field, layout, size }: CapturedField,
  context: CaptureContext,
): Promise<FrozenImage | undefined> {
  const widths = WIDTHS[layout]
  if (widths.length === 0) return undefined
  const variants = context.imageTypes.flatMap((type) =>
    usefulWidths(widths, size?.width).map((width) => ({ type, width })),
  )
  const fallback = { width: FALLBACK_WIDTHS[layout] }
  const images = await context.source.variants(query, field, [...variants, fallback], context.signal)
  return writeImages(images, size, context)
}

/** Captures the icon of a page, which is small: one file is enough. */
export async function captureIcon(query: PageQuery, context: CaptureContext): Promise<FrozenImage | undefined> {
  const variant = { width: ICON_WIDTH, type: 'webp' } as const
  return writeImages([await context.source.image(query, 'logo', variant, context.signal)], undefined, context)
}

/** No image is enlarged, so the first width that is not smaller than the image results in its own width. */
function usefulWidths(widths: readonly number[], own = Infinity): readonly number[] {
  const last = widths.findIndex((width) => width >= own)
  return last < 0 ? widths : widths.slice(0, last + 1)
}

async function writeImages(
  images: readonly SourceImage[],
  size: CapturedField['size'],
  { cache }: CaptureContext,
): Promise<FrozenImage | undefined> {
  const usable = images.filter((image) => hasVariants(image.type) || image.bytes.byteLength <= MAX_UNCONVERTED_BYTES)
  const files = await Promise.all(
    usable.flatMap(({ bytes, type, width = 0 }) =>
      type === 'bmp' ? [] : [cache.writeImage(bytes, width, type).then((name): FrozenFile => ({ name, type, width }))],
    ),
  )
  const largest = usable.toSorted((one, other) => (other.width ?? 0) - (one.width ?? 0))[0]
  if (!largest || files.length === 0) return undefined
  const { width, height } = size ?? { width: largest.width ?? 0, height: largest.height ?? 0 }
  return { width, height, files: [...new Map(files.map((file) => [file.name, file])).values()] }
}
