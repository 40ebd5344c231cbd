import { createHash } from 'node:crypto'
import { findPreviews, type FindPreviewsOptions, type FoundPreview } from '../freeze/index.js'
import { elementRanges, escapeHtml, type ElementRange } from './frozen-elements.js'

/** A page with marks in place of its cards, which replace them when they are known. */
export interface MarkedPage {
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

/** The start tag without its end: that of the page, or for a link one with the same parameters. */
function startTag(html: string, range: ElementRange, { request }: FoundPreview): string {
  const { name, start, contentStart, attributes } = range
  if (name === 'page-preview') return `${html.slice(start, contentStart - 1).replace(/\/$/, '')} data-frozen`
  const parameters = Object.entries(attributes)
    .filter(([attribute]) => attribute.startsWith('data-') && attribute !== 'data-page-preview')
    .map(([attribute, value]) => ` ${attribute.slice('data-'.length)}="${escapeHtml(value)}"`)
  return `<page-preview url="${escapeHtml(request.query.url)}"${parameters.join('')} data-frozen`
}

const startsOfLines = (text: string): number[] => [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
