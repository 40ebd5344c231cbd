import { readAttributes, type Settings } from '../asking/index.js'
import { focusCard } from './shadow-of.js'

/** Puts a link into a `<page-preview>` of its own, once; the link stays, for its words and for those without script. */
export function enhanceLink(link: Element, settings: Settings): void {
  if (!(link instanceof HTMLAnchorElement) || !link.isConnected || link.closest('page-preview')) return
  const preview = document.createElement('page-preview')
  for (const [name, value] of Object.entries(readAttributes(link, 'data-'))) preview.setAttribute(name, String(value))
  preview.setAttribute('url', link.href)
  if (settings.near.has(link)) settings.near.add(preview)
  const hadFocus = link.matches(':focus')
  link.replaceWith(preview)
  preview.append(link)
  if (hadFocus) focusCard(preview)
}
