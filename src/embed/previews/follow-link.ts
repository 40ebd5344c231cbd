import { linkOf } from './link-of.js'

/**
 * Makes a click on the link that is shown one on the link of the page: with its target, and heard by whoever listens to it.
 * With a modifier it stays one of the browser's.
 */
export function followLink(event: Event): void {
  const shown = event.target instanceof Element ? event.target.closest('a') : undefined
  const root = shown?.getRootNode()
  const link = root instanceof ShadowRoot ? linkOf(root.host) : undefined
  if (!link || link.href !== shown?.href || !(event instanceof MouseEvent)) return
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  event.stopPropagation()
  link.dispatchEvent(new MouseEvent('click', event))
}
