'use client'

import { useEffect, useState } from 'react'

/**
 * What is loaded only when it is wanted; `undefined` until it is there, and for good when it cannot be had: then the page goes
 * without it.
 *
 * @param load  The same function at each render.
 */
export function useLoaded<Thing>(load: () => Promise<Thing>, isWanted: boolean): Thing | undefined {
  const [loaded, setLoaded] = useState<Thing>()
  useEffect(() => {
    if (isWanted)
      load().then(
        (thing) => setLoaded(() => thing),
        () => undefined,
      )
  }, [load, isWanted])
  return loaded
}
