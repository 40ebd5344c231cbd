import { NEAR_VIEWPORT_PX } from '../react/near-viewport/index.js'

type Root = Element | Document | ShadowRoot

const HOVER_LINK = 'a[data-page-preview=hover]'
const PREVIEW = ':is(page-preview,a[data-page-preview]):not([data-page-preview=hover],[data-page-preview=false])'
const EAGER =
  ':is([loading=eager],[data-loading=eager],[priority],[data-priority]):not([priority=false],[data-priority=false])'

/**
 * Observes the previews of a page, those that are added later too.
 *
 * @param autoSelector  Plain links that get a hover preview; an invalid selector is reported once.
 * @param isFrozen      Previews that are left as they are.
 * @param onPreview     Called when a preview is probably near the viewport, a frame before the observer reports it.
 * @param notify        Called with `mount` for a preview that comes near the viewport, is eager or about to be printed, and with
 *                      `hover` for a link that is hovered or focused, which opens its hover preview.
 * @returns             Observes previews below another root, such as a shadow root.
 */
export function observeElements(
  autoSelector: string | undefined,
  isFrozen: (element: Element) => boolean,
  onPreview: () => unknown,
  notify: (event: 'mount' | 'hover', element: Element) => unknown,
): (root?: Root) => void {
  let hoverSelector = `${HOVER_LINK},${autoSelector ?? HOVER_LINK}`
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) notify('mount', target)
    },
    { rootMargin: `${NEAR_VIEWPORT_PX}px` },
  )
  const scan = (root: Root = document, eager = EAGER) => {
    const prototype = Object.getPrototypeOf(root) as Root
    for (const element of [root, ...prototype.querySelectorAll.call(root, PREVIEW)])
      if (element instanceof Element && Element.prototype.matches.call(element, PREVIEW) && !isFrozen(element)) {
        for (const { top } of element.getClientRects()) if (Math.abs(top) < innerHeight + NEAR_VIEWPORT_PX) onPreview()
        // Observing it again reports it again, for a link that is marked a second time.
        observer.unobserve(element)
        observer.observe(element)
        if (element.matches(eager)) notify('mount', element)
      }
  }
  const handlePointer = ({ target }: Event) => {
    try {
      // Not `target.closest`, which a field of a form can hide.
      const link = target instanceof Element && Element.prototype.closest.call(target, hoverSelector)
      if (link) notify('hover', link)
    } catch (error) {
      hoverSelector = HOVER_LINK
      reportError(error)
    }
  }

  scan()
  new MutationObserver((mutations) => {
    for (const { addedNodes } of mutations) for (const node of addedNodes) if (node instanceof Element) scan(node)
  }).observe(document, { childList: true, subtree: true })
  addEventListener('pointerover', handlePointer)
  addEventListener('focusin', handlePointer)
  addEventListener('beforeprint', () => scan(document, '*'))
  return scan
}
