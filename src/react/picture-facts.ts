import type { Picture } from './data/index.js'

const SIZE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte']

/** `2560 × 1600`, `JPG`, `53.3 kB`, as far as they are known. */
export function pictureFacts({ media }: Picture, locale: string): string[] {
  const { width, height, type, size } = media ?? {}
  const number = (value: number, options?: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(locale, { useGrouping: false, ...options }).format(value)
  const power = size ? Math.min(3, Math.floor(Math.log10(size) / 3)) : 0
  return [
    width && height && `${number(width)} × ${number(height)}`,
    type && (type === 'webp' ? 'WebP' : type.toUpperCase()),
    size && number(size / 1_000 ** power, { style: 'unit', unit: SIZE_UNITS[power], maximumSignificantDigits: 3 }),
  ].filter((fact) => typeof fact === 'string')
}
