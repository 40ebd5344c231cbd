import type { Settings } from '../asking/index.js'
import { focusCard } from './shadow-of.js'

/** Puts a link into a `<page-preview>` of its own, once; the link stays, for its words and for those without script. */
export function enhanceLink(link: Element, settings: Settings): void {
  if (!(link instanceof HTMLAnchorElement) || !link.isConnected || link.closest('page-preview')) return
  // Mail and scripts have nothing to be shown.
  if (!link.protocol.startsWith('http')) return
  const preview = document.createElement('page-preview')
  preview.hidden = link.hidden
  if (settings.near.has(link)) settings.near.add(preview)
  const hadFocus = link.matches(':focus')
  const { parentNode, nextSibling } = link
  preview.append(link)
  parentNode?.insertBefore(preview, nextSibling)
  if (hadFocus) focusCard(preview)
  // Whoever takes the link away has no use for what shows it.
  new MutationObserver(() => preview.contains(link) || preview.remove()).observe(preview, { childList: true })
}
