'use client'

import { useState } from 'react'
import type { CardImage } from './data/index.js'

/**
 * The first address of a picture that can be shown; `undefined` when there is none.
 *
 * @returns  The address, and what is to be called when it is broken.
 */
export function useImageSource(picture: CardImage | undefined): [src: string | undefined, onBroken: () => void] {
  const [broken, setBroken] = useState<readonly string[]>([])
  const src = [picture?.src, picture?.fallbackSrc].find((src) => src && !broken.includes(src))
  return [src, () => src && setBroken([...broken, src])]
}
