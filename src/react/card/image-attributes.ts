import { version, type ImgHTMLAttributes } from 'react'
import type { CardImage } from '../../card/index.js'

export interface ImageAttributesInput {
  image: CardImage
  /** The `sizes` attribute; lazy images also let the browser choose by their layout width, if it can. */
  sizes: string
  options: {
    loading?: 'lazy' | 'eager' | undefined
    priority?: boolean | undefined
  }
}

// Each version warns about the other spelling: https://react.dev/blog/2024/12/05/react-19#new-features
const FETCH_PRIORITY = /^1[78]/.test(version) ? 'fetchpriority' : 'fetchPriority'

/**
 * The attributes of an `<img>` without `src`. Callers put `src` last, because some browsers start the download as soon as it
 * is set.
 */
export function imageAttributes({ image, sizes, options }: ImageAttributesInput): ImgHTMLAttributes<HTMLImageElement> {
  const { srcSet, width, height } = image
  const { priority } = options
  const loading = priority ? 'eager' : (options.loading ?? 'lazy')
  return {
    width,
    height,
    loading,
    decoding: 'async',
    [FETCH_PRIORITY]: priority ? 'high' : undefined,
    sizes: srcSet && (loading === 'lazy' ? `auto, ${sizes}` : sizes),
    srcSet,
  }
}
