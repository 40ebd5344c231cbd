import type { Layout } from './card-model.js'

const SIZES: Readonly<Record<Layout, string>> = {
  card: '(max-width: 36em) 100vw, 36em',
  row: '12em',
  image: '100vw',
  inline: '16px',
}

export const layoutNames = (): string[] => Object.keys(SIZES)

/** The layout of a preview: `card` where none is set, or an unknown one. */
export const layoutOf = (layout: unknown): Layout => (SIZES[layout as Layout] ? (layout as Layout) : 'card')

/** The `sizes` attribute of a card's image: how wide each layout shows it. */
export const imageSizes = (layout?: Layout): string => SIZES[layoutOf(layout)]
