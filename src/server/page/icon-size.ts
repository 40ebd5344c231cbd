export interface IconSize {
  /** The longer side of the largest size that is named, pixels; 0 when none is. */
  size: number
  isSquare: boolean
}

const MAX_SIZES_CHARS = 200
/** What has no pixels of its own ranks between a touch icon and the small ones. */
const SCALABLE_PX = 128

/** Reads how large an icon is from its `sizes`, or else from the name of its file. */
export function iconSize(sizes: string, href: string): IconSize {
  const named = readSizes(sizes.slice(0, MAX_SIZES_CHARS))
  if (named.length) return largest(named)
  if (/\.svg([?#]|$)/i.test(href)) return { size: SCALABLE_PX, isSquare: true }
  return largest(readSizes(href.slice(-MAX_SIZES_CHARS)))
}

const readSizes = (text: string): IconSize[] =>
  [...text.matchAll(/(?<!\d)(\d{2,4})x(\d{2,4})(?!\d)/gi)].map(([, width, height]) => ({
    size: Math.max(Number(width), Number(height)),
    isSquare: width === height,
  }))

const largest = (sizes: readonly IconSize[]) =>
  sizes.reduce((one, other) => (other.size > one.size ? other : one), { size: 0, isSquare: true })
