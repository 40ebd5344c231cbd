import { version, type ImgHTMLAttributes } from 'react'
import type { PreviewOptions } from './page-preview-props.js'
import type { CardImage } from './data/index.js'

export interface ShownPicture {
  picture: CardImage
  /** How wide it is laid out; a lazy picture asks the browser itself, where that knows. */
  sizes: string
  options: Pick<PreviewOptions, 'loading' | 'priority' | 'referrerPolicy'>
}

// Each version warns of the other spelling: https://react.dev/blog/2024/12/05/react-19#new-features
const FETCH_PRIORITY = /^1[78]/.test(version) ? 'fetchpriority' : 'fetchPriority'

/** The attributes of a picture but its address, which goes last: with it some browsers start the download at once. */
export function imageAttributes({ picture, sizes, options }: ShownPicture): ImgHTMLAttributes<HTMLImageElement> {
  const { srcSet, width, height } = picture
  const { priority, referrerPolicy } = options
  const loading = priority ? 'eager' : (options.loading ?? 'lazy')
  return {
    width,
    height,
    loading,
    decoding: 'async',
    referrerPolicy,
    [FETCH_PRIORITY]: priority ? 'high' : undefined,
    sizes: srcSet && (loading === 'lazy' ? `auto, ${sizes}` : sizes),
    srcSet,
  }
}
