const SIZES = {
  card: '(max-width: 36em) 100vw, 36em',
  row: '12em',
  image: '100vw',
  inline: '16px',
}

/** How wide a preview lays its picture out. */
export const imageSizes = (layout: keyof typeof SIZES = 'card'): string => SIZES[layout]
