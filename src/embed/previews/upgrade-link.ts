import { builtinMember } from '../builtin-member.js'
import { focusPreview } from './focus-preview.js'
import type { PreviewContext } from './preview-context.js'
import { isWebLink, REPLACES_LINK } from './source-link.js'
import { createSheet } from './style-sheets.js'

/** Hides a link while its preview is there, and both while the page hides the link. */
const sheet = createSheet(`a:has(+[${REPLACES_LINK}]),a[hidden]+[${REPLACES_LINK}]{display:none!important}`)

/**
 * Inserts a preview after a marked link, once. The link is hidden, not moved, because frameworks such as React expect their
 * nodes where they have put them.
 */
export function upgradeLink(link: Element, { eagerElements }: PreviewContext): void {
  if (!(link instanceof HTMLAnchorElement) || link.matches(`page-preview *,:has(+[${REPLACES_LINK}])`)) return
  if (!isWebLink(link)) return
  const preview = document.createElement('page-preview')
  preview.toggleAttribute(REPLACES_LINK)
  if (eagerElements.has(link)) eagerElements.add(preview)
  const hadFocus = link.matches(':focus')
  const root = link.getRootNode()
  const adoptedStyleSheets =
    root instanceof ShadowRoot ? root.adoptedStyleSheets : builtinMember(document, 'adoptedStyleSheets')
  if (!adoptedStyleSheets.includes(sheet)) adoptedStyleSheets.push(sheet)
  link.after(preview)
  if (hadFocus) focusPreview(preview)
}
