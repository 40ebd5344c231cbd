const watched = new WeakMap<Element, (isNear: boolean) => void>()
let observer: IntersectionObserver | undefined

/**
 * Tells whether an element is on screen or less than 600 pixels away from it, now and whenever that changes. One observer
 * does it for all elements.
 *
 * @returns  What ends it; `undefined` where a screen cannot be observed.
 */
export function observeViewport(element: Element, tell: (isNear: boolean) => void): (() => void) | undefined {
  if (typeof IntersectionObserver === 'undefined') return undefined
  const shared = (observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) watched.get(target)?.(isIntersecting)
    },
    { rootMargin: '600px' },
  ))
  watched.set(element, tell)
  shared.observe(element)
  return () => {
    watched.delete(element)
    shared.unobserve(element)
  }
}
