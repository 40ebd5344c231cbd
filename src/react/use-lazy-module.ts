'use client'

import { useEffect, useState } from 'react'

/**
 * Loads a module once it is needed.
 *
 * @param load  The same function in each render.
 * @returns     `undefined` until it is loaded, and permanently when that fails: the page works without it.
 */
export function useLazyModule<Module extends object>(
  load: () => Promise<Module>,
  isNeeded: boolean,
): Module | undefined {
  const [module, setModule] = useState<Module>()
  useEffect(() => {
    if (isNeeded) load().then(setModule, () => undefined)
  }, [load, isNeeded])
  return module
}
