'use client'

import { useState } from 'react'
import type { CardImage } from '../../card/index.js'

/**
 * Falls back to `fallbackSrc` when `src` or a variant of it cannot be loaded.
 *
 * @returns  The image with the URL to show, `undefined` when none is left; and the handler for the error of that image.
 */
export function useImageSource(image: CardImage | undefined): [image: CardImage | undefined, onBroken: () => void] {
  const [brokenUrls, setBrokenUrls] = useState<readonly string[]>([])
  const src = [image?.src, image?.fallbackSrc].find((url) => url && !brokenUrls.includes(url))
  const onBroken = () => src && setBrokenUrls([...brokenUrls, src])
  if (!image || src === image.src) return [image, onBroken]
  return [src ? { ...image, src, srcSet: undefined } : undefined, onBroken]
}
