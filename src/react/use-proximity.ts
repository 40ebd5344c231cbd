'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import type { SplitProps } from './props.js'

// The loader of the script tag imports the distance, and nothing of React with it.

/** A preview counts as near the viewport when it is less than this away from it. */
export const NEAR_VIEWPORT_PX = 600

/** More than one for an element that a component and a hook of the app observe. */
const callbacks = new WeakMap<Element, Set<(isNear: boolean) => void>>()
let sharedObserver: IntersectionObserver | undefined

/**
 * Reports whether an element is in or near the viewport, once and on every change. All elements share one observer.
 *
 * @returns  Stops observing; `undefined` if `IntersectionObserver` does not exist.
 */
function observeViewport(element: Element, onChange: (isNear: boolean) => void): (() => void) | undefined {
  if (typeof IntersectionObserver === 'undefined') return undefined
  const observer = (sharedObserver ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        callbacks.get(target)?.forEach((onChange) => onChange(isIntersecting))
    },
    { rootMargin: `${NEAR_VIEWPORT_PX}px` },
  ))
  const ofElement = callbacks.get(element) ?? new Set()
  callbacks.set(element, ofElement.add(onChange))
  // An element that is observed already is reported again.
  observer.unobserve(element)
  observer.observe(element)
  return () => {
    ofElement.delete(onChange)
    if (!ofElement.size) observer.unobserve(element)
  }
}

/**
 * The position of a preview, which decides whether it fetches:
 *
 * - `far`: it has never been near the viewport. Nothing is fetched, and a cached result is shown.
 * - `near`: it is in the viewport or near it. It fetches and refetches.
 * - `left`: it was near. Nothing is fetched until it is near again.
 * - `eager`: as `left`, but what is missing is fetched.
 */
export type Proximity = 'far' | 'near' | 'left' | 'eager'

/** The ref of the root element: nothing is fetched while it is far from the viewport. Without an element the preview counts as near. */
export type PreviewRef = (element: Element | null) => void

/**
 * The position of an element. In the first render it is `far`, so that the markup matches the server's; then an eager element is
 * `near` until its position is known.
 */
export function useProximity({
  query,
  options,
}: Pick<SplitProps, 'query' | 'options'>): [ref: PreviewRef, proximity: Proximity] {
  const isEager = options.priority || options.loading === 'eager'
  // Before the first paint, so that the request does not wait for it. An embedded image is requested then, and comes first.
  const isUrgent = isEager && !query.embed
  const [position, setPosition] = useState<Exclude<Proximity, 'eager'>>('far')
  const unobserve = useRef<() => void>(undefined)
  const ref = useCallback(
    (element: Element | null) => {
      unobserve.current?.()
      unobserve.current = element
        ? observeViewport(element, (isNear) =>
            setPosition((before) => (isNear ? 'near' : before === 'far' ? 'far' : 'left')),
          )
        : undefined
      // Only once, because some refs are attached again with each render.
      if (element && isUrgent) setPosition((before) => (before === 'far' ? 'near' : before))
    },
    [isUrgent],
  )
  useEffect(() => {
    if (isEager || !unobserve.current) setPosition('near')
  }, [isEager])
  return [ref, isEager && position === 'left' ? 'eager' : position]
}
