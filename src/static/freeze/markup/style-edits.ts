import type { Element } from 'domhandler'
import { attributesMarkup, markupText } from '../../../server/html-card/index.js'
import type { TextFile } from './freeze-html-options.js'
import { FROZEN } from './card-edits.js'
import { headEnd } from './head-end.js'
import type { Edit } from './page-text.js'

export interface Styles {
  stylesheet: TextFile
  /** URL of the folder of assets. */
  assets: string
  inlineStyles: boolean | undefined
  /** Offset of the first card, before which the stylesheet is inserted in a page whose head has no tags. */
  firstCard: number
}

/** The edit that adds the stylesheet of the cards to a page, or replaces the one of an earlier run; none where it is the same. */
export function styleEdits(elements: readonly Element[], text: string, styles: Styles): Edit[] {
  const html = styles.inlineStyles ? inlineStyles(styles.stylesheet) : linkedStyles(styles)
  const existing = elements.find(({ name, attribs }) => (name === 'link' || name === 'style') && FROZEN in attribs)
  const { startOffset: start, endOffset: end } = existing?.sourceCodeLocation ?? {}
  if (start !== undefined && end !== undefined) return text.slice(start, end) === html ? [] : [{ start, end, html }]
  const place = headEnd(elements) ?? styles.firstCard
  return [{ start: place, end: place, html }]
}

const linkedStyles = ({ stylesheet, assets }: Styles) =>
  `<link rel="stylesheet"${markupText(attributesMarkup({ href: assets + stylesheet.name }))} ${FROZEN}>`

/** CSS cannot be escaped as HTML; only a closing tag could end the element early. Escapes of CSS work in every encoding. */
const inlineStyles = ({ text }: TextFile) =>
  `<style ${FROZEN}>${text.replaceAll('</', '<\\/').replace(NOT_ASCII, (character) => `\\${character.codePointAt(0)!.toString(16)} `)}</style>`

const NOT_ASCII = /[^\0-\x7f]/gu
