import { Parser } from 'htmlparser2'
import { createHash } from 'node:crypto'
import { findPreviews, FROZEN, type FindPreviewsOptions, type FoundPreview } from '../freeze/index.js'

/** A page with marks in place of its cards, which replace them when they are known. */
interface MarkedPage {
  html: string
  /** Identifies the page in its marks. */
  id: string
}

/** A mark: the page, and the index of the card in it. */
export const CARD_MARK = /__PAGE_PREVIEW_([\da-f]{16})_(\d+)__/g

/**
 * Replaces the content of each preview of a page with a mark, by the directive of Vue that sets raw HTML.
 *
 * @returns  `undefined` for a page without previews.
 */
export function markCards(html: string, options: FindPreviewsOptions): MarkedPage | undefined {
  const cards = findPreviews(html, options).filter(({ kind }) => kind === 'card')
  if (cards.length === 0) return undefined
  const id = createHash('sha256').update(html).digest('hex').slice(0, 16)
  const ranges = new Map(elementRanges(html).map((range) => [range.start, range]))
  const lineStarts = startsOfLines(html)
  let marked = ''
  let end = 0
  for (const [index, card] of cards.entries()) {
    const range = ranges.get(lineStarts[card.line - 1]! + card.column - 1)
    if (!range) continue
    marked += `${html.slice(end, range.start)}${startTag(html, range, card)} v-html="'__PAGE_PREVIEW_${id}_${index}__'"></page-preview>`
    end = range.end
  }
  return { id, html: marked + html.slice(end) }
}

/** The start tag without its end: as in the page, or for a link `<page-preview>` with the same parameters. */
function startTag(html: string, range: ElementRange, { request }: FoundPreview): string {
  const { name, start, contentStart, attributes } = range
  if (name === 'page-preview') return `${html.slice(start, contentStart - 1).replace(/\/$/, '')} ${FROZEN}`
  const parameters = Object.entries(attributes)
    .filter(([attribute]) => attribute.startsWith('data-') && attribute !== 'data-page-preview')
    .map(([attribute, value]) => ` ${attribute.slice('data-'.length)}="${escapeHtml(value)}"`)
  return `<page-preview url="${escapeHtml(request.query.url)}"${parameters.join('')} ${FROZEN}`
}

const startsOfLines = (text: string): number[] => [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]

/** A card in a frozen page. */
export interface FrozenElement {
  attributes: Readonly<Record<string, string>>
  /** The content. */
  html: string
}

/** The cards of a frozen page, in its order. */
export const frozenElements = (html: string): FrozenElement[] =>
  elementRanges(html)
    .filter(({ name, attributes }) => name === 'page-preview' && FROZEN in attributes)
    .map(({ attributes, contentStart, contentEnd }) => ({ attributes, html: html.slice(contentStart, contentEnd) }))

/** The position of an element in HTML, as offsets. */
interface ElementRange {
  name: string
  /** Decoded. */
  attributes: Readonly<Record<string, string>>
  start: number
  contentStart: number
  contentEnd: number
  end: number
}

const NAMES: ReadonlySet<string> = new Set(['a', 'page-preview'])

/** The previews and links of a page, in the order of their start; links inside a preview are left out. */
function elementRanges(html: string): ElementRange[] {
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

/** For text and quoted values; line breaks too, so that the column of an element in one line is its offset. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"\r\n]/g, (character) => `&#${character.codePointAt(0)};`)
