import { Parser } from 'htmlparser2'

/** The position of an element in HTML, as offsets. */
export interface ElementRange {
  name: string
  /** Decoded. */
  attributes: Readonly<Record<string, string>>
  start: number
  contentStart: number
  contentEnd: number
  end: number
}

const NAMES: ReadonlySet<string> = new Set(['a', 'page-preview'])

/** The previews and links of a page, in the order of their start; those inside of a preview are left out. */
export function elementRanges(html: string): ElementRange[] {
  const ranges: ElementRange[] = []
  let open: ElementRange | undefined
  const parser = new Parser({
    onopentag(name, attributes) {
      if (open || !NAMES.has(name)) return
      const contentStart = parser.endIndex + 1
      open = { name, attributes, start: parser.startIndex, contentStart, contentEnd: contentStart, end: contentStart }
    },
    onclosetag(name) {
      if (open?.name !== name) return
      ranges.push({ ...open, contentEnd: parser.startIndex, end: parser.endIndex + 1 })
      open = undefined
    },
  })
  parser.end(html)
  return ranges
}

/** A card in a frozen page. */
export interface FrozenElement {
  attributes: Readonly<Record<string, string>>
  /** The content. */
  html: string
}

/** The cards of a frozen page, in its order. */
export const frozenElements = (html: string): FrozenElement[] =>
  elementRanges(html)
    .filter(({ name, attributes }) => name === 'page-preview' && 'data-frozen' in attributes)
    .map(({ attributes, contentStart, contentEnd }) => ({ attributes, html: html.slice(contentStart, contentEnd) }))

/** For text and quoted values; line breaks too, so that the column of an element in one line is its offset. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"\r\n]/g, (character) => `&#${character.codePointAt(0)};`)
