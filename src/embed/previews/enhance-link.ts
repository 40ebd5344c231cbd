import { readAttributes } from './read-attributes.js'

/** Puts a link into a `<page-preview>` of its own, once; the link stays, for its words and for those without script. */
export function enhanceLink(link: Element): void {
  if (!(link instanceof HTMLAnchorElement) || !link.isConnected || link.closest('page-preview')) return
  const preview = document.createElement('page-preview')
  for (const [name, value] of Object.entries(readAttributes(link, 'data-'))) preview.setAttribute(name, String(value))
  preview.setAttribute('url', link.href)
  link.replaceWith(preview)
  preview.append(link)
}
