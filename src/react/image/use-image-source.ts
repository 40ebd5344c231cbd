'use client'

import { useState } from 'react'
import type { CardImage } from '../../card/index.js'

/**
 * Falls back to `fallbackSrc` when `src` cannot be loaded.
 *
 * @returns  The URL to show, `undefined` when none is left; and the handler for the error of that image.
 */
export function useImageSource(image: CardImage | undefined): [src: string | undefined, onBroken: () => void] {
  const [brokenUrls, setBrokenUrls] = useState<readonly string[]>([])
  const src = [image?.src, image?.fallbackSrc].find((url) => url && !brokenUrls.includes(url))
  return [src, () => src && setBrokenUrls([...brokenUrls, src])]
}
