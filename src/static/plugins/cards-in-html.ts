import { createHash } from 'node:crypto'
import { findCards, FROZEN, type FindPreviewsOptions } from '../freeze/index.js'

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
  const cards = findCards(html, options)
  if (cards.length === 0) return undefined
  const id = createHash('sha256').update(html).digest('hex').slice(0, 16)
  let marked = ''
  let end = 0
  for (const [index, card] of cards.entries()) {
    const mark = `__PAGE_PREVIEW_${id}_${index}__`
    marked += `${html.slice(end, card.range.start)}${startTag(html, card)} v-html="'${mark}'"></page-preview>`
    end = card.range.end
  }
  return { id, html: marked + html.slice(end) }
}

/** The start tag without its end: as in the page, or for a link `<page-preview>` with the same parameters. */
function startTag(html: string, { element, range, request }: ReturnType<typeof findCards>[number]): string {
  const { name, attribs } = element
  if (name === 'page-preview') {
    const written = html.slice(range.start, range.contentStart - 1).replace(/\/$/, '')
    return FROZEN in attribs ? written : `${written} ${FROZEN}`
  }
  const parameters = Object.entries(attribs)
    .filter(([attribute]) => attribute.startsWith('data-') && attribute !== 'data-page-preview')
    .map(([attribute, value]) => ` ${attribute.slice('data-'.length)}="${escapeHtml(value)}"`)
  return `<page-preview url="${escapeHtml(request.query.url)}"${parameters.join('')} ${FROZEN}`
}

/** Escapes text and quoted values; line breaks too, which parsers change. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"\r\n]/g, (character) => `&#${character.codePointAt(0)};`)
