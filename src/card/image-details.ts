import type { CardImage } from './choose-image.js'

const SIZE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte']

const formatCache: Record<string, Intl.NumberFormat> = {}

/**
 * The known details of an image, for the footer of a card: `2560 × 1600`, `JPG`, `53.3 kB`.
 *
 * @param locale  BCP 47, for numbers and units.
 */
export function imageDetails({ media }: CardImage, locale: string): string[] {
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
