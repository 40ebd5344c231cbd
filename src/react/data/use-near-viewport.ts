'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import { observeViewport } from './observe-viewport.js'

interface NearScreen {
  /** For the element in question; without one it counts as near. */
  ref: (element: Element | null) => void
  isNear: boolean
  /** It was near before, or is. */
  wasNear: boolean
}

/**
 * Whether an element is on screen, or nearly. At first nothing is, so that what is rendered does not depend on where.
 *
 * @param isEager     Near until it is known where the element is.
 * @param startsNear  It is known to be near.
 */
export function useNearViewport(isEager: boolean, startsNear?: boolean): NearScreen {
  const [isNear, setIsNear] = useState(startsNear)
  const stop = useRef<() => void>(undefined)
  const ref = useCallback((element: Element | null) => {
    stop.current?.()
    // What was never near is not told that it is not: nothing would change.
    stop.current = element
      ? observeViewport(element, (isNear) => setIsNear((before) => isNear || (before && false)))
      : undefined
  }, [])
  useEffect(() => {
    if (isEager || !stop.current) setIsNear(true)
  }, [isEager])
  return { ref, isNear: isNear === true, wasNear: isNear !== undefined }
}
