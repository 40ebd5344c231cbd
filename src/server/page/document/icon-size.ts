export interface IconSize {
  /** Longer side of the largest size, in pixels; 0 when unknown. */
  size: number
  isSquare: boolean
}

const MAX_SIZES_CHARS = 200
const MAX_HREF_CHARS = 8_192
/** A vector icon ranks between a touch icon and the small bitmaps. */
const VECTOR_PX = 128

/** Reads the size of an icon from its `sizes` attribute, or else from its file name. */
export function iconSize(sizes: string, href: string): IconSize {
  const declaredSizes = parseSizes(sizes.slice(0, MAX_SIZES_CHARS))
  if (declaredSizes.length) return largest(declaredSizes)
  if (/\.svg([?#]|$)|^\s*data:image\/svg/i.test(href.slice(0, MAX_HREF_CHARS)))
    return { size: VECTOR_PX, isSquare: true }
  if (/^\s*data:/i.test(href)) return { size: 0, isSquare: true }
  return largest(parseSizes(href.slice(-MAX_SIZES_CHARS)))
}

const parseSizes = (text: string): IconSize[] =>
  [...text.matchAll(/(?<!\d)(\d{2,4})x(\d{2,4})(?!\d)/gi)].map(([, width, height]) => ({
    size: Math.max(Number(width), Number(height)),
    isSquare: width === height,
  }))

const largest = (sizes: readonly IconSize[]) =>
  sizes.reduce((best, other) => (other.size > best.size ? other : best), { size: 0, isSquare: true })
