// No React here: the loader of the script tag imports it.

/** A preview counts as near the viewport when it is less than this away from it. */
export const NEAR_VIEWPORT_PX = 600

const callbacks = new WeakMap<Element, (isNear: boolean) => void>()
let sharedObserver: IntersectionObserver | undefined

/**
 * Reports whether an element is in or near the viewport, once and on every change. All elements share one observer.
 *
 * @returns  Stops observing; `undefined` if `IntersectionObserver` does not exist.
 */
export function observeViewport(element: Element, onChange: (isNear: boolean) => void): (() => void) | undefined {
  if (typeof IntersectionObserver === 'undefined') return undefined
  const observer = (sharedObserver ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) callbacks.get(target)?.(isIntersecting)
    },
    { rootMargin: `${NEAR_VIEWPORT_PX}px` },
  ))
  callbacks.set(element, onChange)
  observer.observe(element)
  return () => {
    callbacks.delete(element)
    observer.unobserve(element)
  }
}
