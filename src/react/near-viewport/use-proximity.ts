'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import { observeViewport } from './index.js'

/**
 * The position of a preview, which decides whether it fetches:
 *
 * - `far`: it has never been near the viewport. Nothing is fetched, and a cached result is shown.
 * - `near`: it is in the viewport or near it. It fetches and refetches.
 * - `left`: it was near. Nothing is fetched until it is near again.
 * - `eager`: as `left`, but what is missing is fetched.
 */
export type Proximity = 'far' | 'near' | 'left' | 'eager'

/** The ref of the element to observe; without an element the preview counts as near. */
export type ProximityRef = (element: Element | null) => void

/**
 * The position of an element. In the first render it is `far`, so that the markup matches the server's; then an eager element is
 * `near` until its position is known.
 */
export function useProximity({
  loading,
  priority,
}: {
  loading?: 'lazy' | 'eager' | undefined
  priority?: boolean | undefined
}): [ref: ProximityRef, proximity: Proximity] {
  const isEager = priority || loading === 'eager'
  const [position, setPosition] = useState<Exclude<Proximity, 'eager'>>('far')
  const unobserve = useRef<() => void>(undefined)
  const ref = useCallback((element: Element | null) => {
    unobserve.current?.()
    unobserve.current = element
      ? observeViewport(element, (isNear) =>
          setPosition((before) => (isNear ? 'near' : before === 'far' ? 'far' : 'left')),
        )
      : undefined
  }, [])
  useEffect(() => {
    if (isEager || !unobserve.current) setPosition('near')
  }, [isEager])
  return [ref, isEager && position === 'left' ? 'eager' : position]
}
