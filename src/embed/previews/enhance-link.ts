import type { Settings } from '../asking/index.js'
import { BEHIND_LINK, leadsToPage } from './link-of.js'
import { focusCard } from './shadow-of.js'
import { sheetOf } from './sheet-of.js'

/** A link gives way to what stands behind it, and is there again without it. */
const sheet = sheetOf(`a:has(+[${BEHIND_LINK}]),a[hidden]+[${BEHIND_LINK}]{display:none!important}`)

/** Puts a preview in the place of a link, once; the link stays where it is, for whoever has put it there. */
export function enhanceLink(link: Element, settings: Settings): void {
  if (!(link instanceof HTMLAnchorElement) || link.matches(`page-preview *,:has(+[${BEHIND_LINK}])`)) return
  if (!leadsToPage(link)) return
  const preview = document.createElement('page-preview')
  preview.toggleAttribute(BEHIND_LINK)
  if (settings.near.has(link)) settings.near.add(preview)
  const hadFocus = link.matches(':focus')
  const root = link.getRootNode()
  const { adoptedStyleSheets } = root instanceof ShadowRoot ? root : document
  if (!adoptedStyleSheets.includes(sheet)) adoptedStyleSheets.push(sheet)
  link.after(preview)
  if (hadFocus) focusCard(preview)
}
