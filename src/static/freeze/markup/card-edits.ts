import type { Element } from 'domhandler'
import { DomUtils } from 'htmlparser2'
import { readAttributes } from '../../../card/index.js'
import { attributesMarkup, markupText } from '../../../server/html-card/index.js'
import { ancestorsOf, elementsOf } from './find-elements.js'
import type { ScannedPreview } from './find-previews.js'
import { frozenCard } from './frozen-card.js'
import type { FrozenPreview } from './frozen-preview.js'
import type { Edit } from './page-text.js'
import type { SourceRange } from './source-range.js'

/** Marks what freezing has written, so that it is found again. */
export const FROZEN = 'data-frozen'

/** Elements that may only contain phrasing content; anything else would end a paragraph. */
const PHRASING_PARENTS = new Set('p h1 h2 h3 h4 h5 h6 span em strong b i u s small mark q cite label button'.split(' '))
/** Attributes of a link that stay on the link of its card. */
const LINK_ATTRIBUTES = ['target', 'rel', 'hreflang', 'referrerpolicy']
/** Attributes that move from a link to its card. */
const HOST_ATTRIBUTES = ['id', 'lang', 'dir', 'hidden', 'slot']

/** The edits that replace the content of a preview, or a marked link, with its card. */
export function cardEdits(
  scanned: ScannedPreview,
  range: SourceRange,
  { preview, assets }: { preview: FrozenPreview | undefined; assets: string },
): Edit[] {
  const { element, link, request, href } = scanned
  const card = frozenCard({
    request,
    preview,
    assets,
    href,
    text: authorText(scanned),
    link: linkAttributes(element, link),
    isPhrasing: ancestorsOf(element).some(({ name }) => PHRASING_PARENTS.has(name)),
  })
  if (element === link)
    return [
      {
        start: range.start,
        end: range.end,
        html: `<page-preview ${FROZEN}${hostAttributes(element)}>${card}</page-preview>`,
      },
    ]
  const content = { start: range.contentStart, end: range.contentEnd, html: card }
  if (FROZEN in element.attribs) return [content]
  const afterName = range.start + '<page-preview'.length
  return [{ start: afterName, end: afterName, html: ` ${FROZEN}` }, content]
}

/** What the author calls the page; the card of an earlier run carries it as its label. */
function authorText({ element, link }: ScannedPreview): string | undefined {
  const root =
    FROZEN in element.attribs && elementsOf(element).find(({ attribs }) => attribs['class'] === 'page-preview')
  const text = root
    ? root.attribs['aria-label']
    : (link?.attribs['aria-label'] ?? DomUtils.textContent(link ?? element))
  return text?.replace(/\s+/g, ' ').trim() || undefined
}

/** Attributes of the author's link for the link of the card, with its parameters where it is marked inside of the element. */
function linkAttributes(element: Element, link: Element | undefined): Record<string, string> {
  const isMarked = link !== element && link && 'data-page-preview' in link.attribs
  return Object.fromEntries(
    Object.entries(link?.attribs ?? {}).filter(
      ([name]) => LINK_ATTRIBUTES.includes(name) || (isMarked && name.startsWith('data-')),
    ),
  )
}

/** The attributes of the `<page-preview>` that replaces a link, including the parameters of the link. */
function hostAttributes({ attribs, attributes }: Element): string {
  const parameters = attributes
    .filter((attribute) => isParameterAttribute(attribute))
    .map(({ name, value }) => [name.replace(/^data-/, ''), value] as const)
  const global = Object.entries(attribs).filter(([name]) => HOST_ATTRIBUTES.includes(name))
  const all = { url: attribs['href']?.trim(), ...Object.fromEntries([...parameters, ...global]) }
  return markupText(attributesMarkup(all))
}

const isParameterAttribute = (attribute: { name: string; value: string }) =>
  /^data-color-?schemes$/.test(attribute.name) || Object.keys(readAttributes([attribute], 'data-')).length > 0
