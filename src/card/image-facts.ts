import type { CardImage } from './choose-image.js'

const SIZE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte']

const formats: Record<string, Intl.NumberFormat> = {}

/** `2560 × 1600`, `JPG`, `53.3 kB`, as far as they are known. */
export function imageFacts({ media }: CardImage, locale: string): string[] {
  const { width, height, type, size, size_pretty: englishSize } = media ?? {}
  const isEnglish = locale.startsWith('en')
  // A format of its own takes many times as long as all the rest of a card, the first one more than that.
  const number = (value: number, unit?: string) =>
    isEnglish && !unit ? String(value) : (formats[`${locale} ${unit}`] ??= numberFormat(locale, unit)).format(value)
  const power = size ? Math.min(3, Math.floor(Math.log10(size) / 3)) : 0
  return [
    width && height && `${number(width)} × ${number(height)}`,
    type && (type === 'webp' ? 'WebP' : type.toUpperCase()),
    size && ((isEnglish && englishSize) || number(size / 1_000 ** power, SIZE_UNITS[power])),
  ].filter((fact) => typeof fact === 'string')
}

const numberFormat = (locale: string, unit: string | undefined) =>
  new Intl.NumberFormat(locale, unit ? { style: 'unit', unit, maximumSignificantDigits: 3 } : { useGrouping: false })
