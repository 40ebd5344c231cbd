/** The custom properties of the stylesheet with an example of each, as the editor offers them. */
export const themingProperties: Readonly<Record<string, Readonly<Record<`--pp-${string}`, string>>>> = {
  Colours: {
    '--pp-background': 'light-dark(#fffdf7, #24211c)',
    '--pp-text': 'light-dark(#2b2118, #f3ead9)',
    '--pp-muted': 'light-dark(#5f5346, #b9ac99)',
    '--pp-border': 'light-dark(#e4d9c5, #443c31)',
    '--pp-fill': 'light-dark(#f1e9da, #322c24)',
    '--pp-tint': '#b4552d',
    '--pp-focus': '#b4552d',
    '--pp-media-background': '#eef4f1',
  },
  Shape: {
    '--pp-border-width': '2px',
    '--pp-radius': '4px',
    '--pp-inset': '0px',
    '--pp-padding': '1.25em',
    '--pp-gap': '1em',
    '--pp-shadow': 'none',
    '--pp-shadow-hover': '0 4px 12px #0003',
  },
  Text: { '--pp-font-size': '0.9em', '--pp-lines': '3' },
  Image: { '--pp-ratio': '2 / 1', '--pp-fit': 'contain', '--pp-position': 'center' },
  Footer: { '--pp-image-details': 'none' },
}
