import type { PageData } from '../query/index.js'
import type { CardImage } from './choose-image.js'
import { imageAlt, ownTexts, type DisplayUrl, type ImageAltInput } from './page-texts.js'

/** The value of `data-status`. */
export type CardState = 'loading' | 'ready' | 'refreshing' | 'stale' | 'failed'

/** Input of `cardModel`. */
export interface CardInput extends ImageAltInput {
  state: CardState
  /** BCP 47, for the numbers among the image details. Default `en`. */
  locale?: string | undefined
}

/** What a card shows, whether React renders it in a browser or on a server, or the service itself. */
export interface CardModel {
  displayUrl: DisplayUrl
  state: CardState
  /** The page's own title; none while unknown: then the link shows `displayUrl.text`. */
  title: PageData['title']
  /** `undefined` while loading: then the card shows a skeleton. */
  description: string | undefined
  image: CardImage | undefined
  alt: string
  /** URL of the page's icon; `undefined`: the card shows `displayUrl.letter`. */
  icon: string | undefined
  /** Dimensions, type and size of the image. */
  imageDetails: readonly string[]
}

/** Derives the content of a card from the data of its page, as far as it has loaded. */
export function cardModel(input: CardInput): CardModel {
  const { displayUrl, state, page, image, locale = 'en' } = input
  const { title, description } = ownTexts(page)
  return {
    displayUrl,
    state,
    title,
    description: description ?? (state === 'loading' ? undefined : displayUrl.text),
    image,
    alt: imageAlt(input),
    icon: page?.logo?.url,
    imageDetails: image ? imageDetails(image, locale) : [],
  }
}

export type Layout = 'card' | 'row' | 'image' | 'inline'

/** The `sizes` attribute of a card's image: how wide each layout shows it. */
export const imageSizes: Readonly<Record<Layout, string>> = {
  card: '(max-width: 36em) 100vw, 36em',
  row: '12em',
  image: '100vw',
  inline: '16px',
}

/** The layout of a preview: `card` if none is set, or an unknown one. */
export const layoutOf = (layout: unknown): Layout =>
  Object.hasOwn(imageSizes, layout as Layout) ? (layout as Layout) : 'card'

/** A warning for the author of a preview with an unknown layout; `undefined` for a known one, and if none is set. */
export function layoutWarning(layout: unknown): string | undefined {
  if (layout === undefined || layoutOf(layout) === layout) return undefined
  const names = Object.keys(imageSizes)
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  return `Unknown layout ${JSON.stringify(layout)}; showing a card instead. The layouts are ${list}.`
}

/**
 * The value of `data-fit`. An element of a page is shown as a whole (`contain`); in the image layout the caller's own data keeps its
 * ratio (`own`), because it is known before the first paint.
 */
export function imageFit(card: {
  /** The query's `element`. */
  element: string | readonly string[] | undefined
  layout?: Layout | undefined
  ownData?: PageData | undefined
  image?: CardImage | undefined
}): 'contain' | 'own' | undefined {
  if (card.element) return 'contain'
  return card.layout === 'image' && card.ownData && card.image ? 'own' : undefined
}

const SIZE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte']

const formatCache: Record<string, Intl.NumberFormat> = {}

/**
 * The known details of an image, for the footer of a card: `2560 × 1600`, `JPG`, `53.3 kB`.
 *
 * @param locale  BCP 47, for numbers and units.
 */
function imageDetails({ media }: CardImage, locale: string): string[] {
  const { width, height, type, size, size_pretty: englishSize } = media ?? {}
  const isEnglish = locale.startsWith('en')
  // Creating an Intl.NumberFormat takes several times as long as rendering the card, so English does without.
  const formatPixels = (pixels: number) => (isEnglish ? String(pixels) : numberFormat(locale).format(pixels))
  return [
    width && height && `${formatPixels(width)} × ${formatPixels(height)}`,
    type && (type === 'webp' ? 'WebP' : type.toUpperCase()),
    size && ((isEnglish && englishSize) || formatSize(size, locale)),
  ].filter((detail) => typeof detail === 'string')
}

function formatSize(bytes: number, locale: string): string {
  const power = Math.min(SIZE_UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  return numberFormat(locale, SIZE_UNITS[power]).format(bytes / 1_000 ** power)
}

function numberFormat(locale: string, unit?: string): Intl.NumberFormat {
  return (formatCache[`${locale} ${unit}`] ??= new Intl.NumberFormat(
    locale,
    unit ? { style: 'unit', unit, maximumSignificantDigits: 3 } : { useGrouping: false },
  ))
}
