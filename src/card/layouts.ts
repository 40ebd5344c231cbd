export type Layout = 'card' | 'row' | 'image' | 'inline'

/** The `sizes` attribute of the image in each layout. */
const SIZES: Readonly<Record<Layout, string>> = {
  card: '(max-width: 36em) 100vw, 36em',
  row: '12em',
  image: '100vw',
  inline: '16px',
}

/** The layout of a preview: `card` if none is set, or an unknown one. */
export const layoutOf = (layout: unknown): Layout => (SIZES[layout as Layout] ? (layout as Layout) : 'card')

/** The `sizes` attribute of a card's image: how wide each layout shows it. */
export const imageSizes = (layout?: Layout): string => SIZES[layoutOf(layout)]

/** A warning for the author of a preview with an unknown layout; `undefined` for a known one, and if none is set. */
export function layoutWarning(layout: unknown): string | undefined {
  if (layout === undefined || layoutOf(layout) === layout) return undefined
  const names = Object.keys(SIZES)
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  return `There is no layout ${JSON.stringify(layout)}; the preview is shown as a card. Layouts are ${list}.`
}
