'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import { observeViewport } from './observe-viewport.js'

interface NearViewport {
  /** For the element to observe; without one it counts as near. */
  ref: (element: Element | null) => void
  isNear: boolean
  /** It is near, or has been. */
  hasBeenNear: boolean
}

/**
 * Whether an element is in the viewport or near it. In the first render nothing is, so that it matches the server's markup.
 *
 * @param isEager     Counts as near until its position is known.
 * @param startsNear  It is known to be near.
 */
export function useNearViewport(isEager: boolean, startsNear?: boolean): NearViewport {
  // `undefined`: it has never been near.
  const [isNear, setIsNear] = useState(startsNear)
  const unobserve = useRef<() => void>(undefined)
  const ref = useCallback((element: Element | null) => {
    unobserve.current?.()
    unobserve.current = element
      ? observeViewport(element, (isNear) =>
          setIsNear((before) => (isNear || before !== undefined ? isNear : undefined)),
        )
      : undefined
  }, [])
  useEffect(() => {
    if (isEager || !unobserve.current) setIsNear(true)
  }, [isEager])
  return { ref, isNear: isNear === true, hasBeenNear: isNear !== undefined }
}
