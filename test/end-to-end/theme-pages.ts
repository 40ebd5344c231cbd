export type Theme = 'light' | 'dark'

interface ThemePage {
  name: string
  /** Attributes of `<html>`. */
  html?: string
  styles?: string
  meta?: string
  /** What is around the preview, in place of `CARD`. */
  body?: string
  /** `system`: as the reader's system. */
  expected: Theme | 'system'
  /** Only what is painted says that the page is dark, which stylesheets cannot know: there the card is light. */
  isPaintedOnly?: boolean
}

const NIGHT = '{ background: #000; color: #eee }'
const DAY = '{ background: #fff; color: #111 }'
const SECTION = '<section>CARD</section>'
const BOTH = ':root { color-scheme: light dark }'

/** Kinds of pages, and the theme that `auto` is there. */
export const themePages: readonly ThemePage[] = [
  { name: 'nothing declared or painted', expected: 'light' },
  { name: 'white body', styles: `body ${DAY}`, expected: 'light' },
  { name: 'black body', styles: `body ${NIGHT}`, expected: 'dark', isPaintedOnly: true },
  { name: 'black html', styles: `html ${NIGHT}`, expected: 'dark', isPaintedOnly: true },
  {
    name: 'body in oklch()',
    styles: 'body { background: oklch(0.2 0.02 260); color: #eee }',
    expected: 'dark',
    isPaintedOnly: true,
  },
  {
    name: 'dark gradient',
    styles: 'html { background: linear-gradient(#203, #000) fixed; color: #eee }',
    expected: 'dark',
    isPaintedOnly: true,
  },
  {
    name: 'black by a media query',
    styles: `@media (prefers-color-scheme: dark) { body ${NIGHT} }`,
    expected: 'system',
    isPaintedOnly: true,
  },
  { name: 'black section', styles: `section ${NIGHT}`, body: SECTION, expected: 'dark', isPaintedOnly: true },
  {
    name: 'tint over a black body',
    styles: `body ${NIGHT} section { background: #ffffff26 }`,
    body: SECTION,
    expected: 'dark',
    isPaintedOnly: true,
  },
  { name: 'white section, black body', styles: `body ${NIGHT} section ${DAY}`, body: SECTION, expected: 'light' },
  { name: 'color-scheme: light dark', styles: BOTH, expected: 'system' },
  { name: 'color-scheme: dark', styles: ':root { color-scheme: dark }', expected: 'dark' },
  { name: 'color-scheme: light', styles: ':root { color-scheme: light }', expected: 'light' },
  {
    name: 'light-dark()',
    styles: `${BOTH} body { background: light-dark(#fff, #000); color: light-dark(#111, #eee) }`,
    expected: 'system',
  },
  { name: 'meta light dark', meta: 'light dark', expected: 'system' },
  { name: 'meta dark', meta: 'dark', expected: 'dark' },
  {
    name: 'section color-scheme: dark',
    styles: 'section { color-scheme: dark; background: Canvas; color: CanvasText }',
    body: SECTION,
    expected: 'dark',
  },
  { name: 'data-theme=dark', html: 'data-theme="dark"', styles: `body ${NIGHT}`, expected: 'dark' },
  { name: 'data-theme=light', html: 'data-theme="light"', styles: `${BOTH} body ${DAY}`, expected: 'light' },
  { name: 'theme=dark', html: 'theme="dark"', styles: `body ${NIGHT}`, expected: 'dark' },
  {
    name: 'light part, data-theme=dark',
    html: 'data-theme="dark"',
    styles: `body ${NIGHT} section ${DAY}`,
    body: '<section data-theme="light">CARD</section>',
    expected: 'light',
  },
  { name: 'data-theme=auto', html: 'data-theme="auto"', styles: BOTH, expected: 'system' },
  { name: 'class=dark', html: 'class="dark"', styles: `body ${NIGHT}`, expected: 'dark' },
  { name: 'class=light', html: 'class="light"', styles: `${BOTH} body ${DAY}`, expected: 'light' },
]
