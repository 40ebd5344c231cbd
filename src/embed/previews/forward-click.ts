import { sourceLink } from './source-link.js'

/**
 * Forwards a click on the link of a preview to the link in the page, whose target applies and whose listeners run. With a
 * modifier key, which browsers do not apply to scripted clicks, the click stays where it is.
 */
export function forwardClick(event: Event): void {
  const clicked = event.target instanceof Element ? event.target.closest('a') : undefined
  const root = clicked?.getRootNode()
  const link = root instanceof ShadowRoot ? sourceLink(root.host) : undefined
  if (!link || link.href !== clicked?.href || !(event instanceof MouseEvent)) return
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  event.stopPropagation()
  link.dispatchEvent(new MouseEvent('click', event))
}
