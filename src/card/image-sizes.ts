import type { Layout } from './card-model.js'

const SIZES: Readonly<Record<Layout, string>> = {
  card: '(max-width: 36em) 100vw, 36em',
  row: '12em',
  image: '100vw',
  inline: '16px',
}

/** The `sizes` attribute of a card's image: how wide each layout shows it. */
export const imageSizes = (layout: Layout = 'card'): string => SIZES[layout]
