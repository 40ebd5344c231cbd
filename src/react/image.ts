'use client'

import { useEffect, useState, type ImgHTMLAttributes } from 'react'
import type { CardImage } from '../card/index.js'
import { isReact18 } from './react-version.js'

// What `PageScreenshot` and the cards share about their images.

// Bundlers of apps replace it, as they do for React.
declare const process: { env: { NODE_ENV?: string } }

interface ImageAttributesInput {
  image: CardImage
  /** The `sizes` attribute; lazy images also let the browser choose by their layout width, if it can. */
  sizes: string
  options: {
    loading?: 'lazy' | 'eager' | undefined
    priority?: boolean | undefined
  }
}

// Each version warns about the other spelling while an app is developed; browsers accept both: https://react.dev/blog/2024/12/05/react-19#new-features
const FETCH_PRIORITY = process.env.NODE_ENV !== 'production' && isReact18 ? 'fetchpriority' : 'fetchPriority'

/**
 * The attributes of an `<img>` without `src`. Callers put `src` last, because some browsers start the download as soon as it
 * is set.
 */
export function imageAttributes({ image, sizes, options }: ImageAttributesInput): ImgHTMLAttributes<HTMLImageElement> {
  const { priority } = options
  const loading = priority ? 'eager' : (options.loading ?? 'lazy')
  return {
    width: image.width,
    height: image.height,
    loading,
    decoding: 'async',
    [FETCH_PRIORITY]: priority ? 'high' : undefined,
    sizes: image.srcSet && (loading === 'lazy' ? `auto, ${sizes}` : sizes),
    srcSet: image.srcSet,
  }
}

const RETRY_DELAY_MS = 3_000

/**
 * Falls back to `fallbackSrc` when `src` or a variant of it cannot be loaded. When nothing is left, all are tried once more: a
 * server that was busy may respond then.
 *
 * @returns  The image with the URL to show, `undefined` when none is left; and the handler for the error of that image.
 */
export function useShownImage(image: CardImage | undefined): [shownImage: CardImage | undefined, onBroken: () => void] {
  // A broken variant says nothing about the URL without one, so `srcSet` counts apart. But a page that cannot be embedded fails with each
  // variant, so the embedded image without one is not requested too.
  const urls = [image?.srcSet ?? image?.src, image?.fallbackSrc]
  const [brokenUrls, setBrokenUrls] = useState<readonly string[]>([])
  const shown = urls.find((url) => url && !brokenUrls.includes(url))
  const onBroken = () => shown && setBrokenUrls([...brokenUrls, shown])
  const [retriedSrc, setRetriedSrc] = useState<string>()
  const src = image?.src
  const isRetryDue = src !== undefined && !shown && src !== retriedSrc
  useEffect(() => {
    if (!isRetryDue) return undefined
    const timer = setTimeout(() => {
      setRetriedSrc(src)
      setBrokenUrls([])
    }, RETRY_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isRetryDue, src])
  if (!image || shown === urls[0]) return [image, onBroken]
  return [shown ? { ...image, src: shown, srcSet: undefined } : undefined, onBroken]
}
