'use client'

import { memo, useCallback, useRef, useState, type ImgHTMLAttributes, type ReactNode } from 'react'
import { chooseImage, englishAlt, toDisplayUrl, type CardImage } from '../card/index.js'
import type { PageQuery } from '../query/index.js'
import type { SourceOptions } from './data/source-options.js'
import { useStableQuery } from './data/use-stable-query.js'
import { isDeepEqual } from './hooks/is-deep-equal.js'
import { useLazyModule } from './hooks/use-lazy-module.js'
import { imageAttributes } from './image/image-attributes.js'
import { useImageSource } from './image/use-image-source.js'
import { useProviderDefaults } from './page-preview-provider.js'
import { splitProps } from './props/split-props.js'

export interface PageScreenshotOptions extends SourceOptions {
  /**
   * Shown while there is no image. Default: an empty box of its size.
   *
   * @example fallback: <p>No image</p>
   */
  fallback?: ReactNode
}

/**
 * Every parameter of the query language, the options above, and any attribute of an `<img>`. Where a parameter and an
 * attribute have the same name, it is the parameter.
 */
export interface PageScreenshotProps
  extends
    PageQuery,
    PageScreenshotOptions,
    Omit<ImgHTMLAttributes<HTMLImageElement>, keyof PageQuery | keyof PageScreenshotOptions | 'src' | 'srcSet'> {}

/** In the URL of an embedded image whose ratio may differ from that of the default device. */
const OWN_RATIO = /[?&](element|device|viewport|overlay|screenshot\.)/

const loadScreenshotUpdates = () => import('./screenshot/screenshot-updates.js')

/**
 * The screenshot of a page and nothing else: an `<img>` from the first render; what keeps it fresh is loaded afterwards. When
 * it cannot be loaded, an empty box of the same size with the same accessible name takes its place.
 *
 * @example  <PageScreenshot url="https://example.com" element="#main" width={640} height={400} />
 */
export const PageScreenshot = memo(function PageScreenshot({
  onLoad,
  onError,
  sizes = '100vw',
  ...ownProps
}: PageScreenshotProps): ReactNode {
  const element = useRef<HTMLImageElement>(null)
  const { query, options, attributes } = splitProps({ screenshot: true, embed: true, ...useProviderDefaults(ownProps) })
  const previewQuery = useStableQuery(query, options)
  const { ScreenshotUpdates } = useLazyModule(loadScreenshotUpdates, true) ?? {}
  const key = JSON.stringify(query)
  const [updatedImage, onImage] = useUpdatedImage(key)
  const image = updatedImage ?? chooseImage(options.data, options.data ? undefined : previewQuery.request())
  const [source, onBroken] = useImageSource(image)
  const { width = 1280, height = 800, background } = image ?? {}
  const hasOwnRatio = !('height' in attributes) && OWN_RATIO.test(image?.src ?? '')
  const kind = image?.isScreenshot === false ? 'image' : 'screenshot'
  const { alt = englishAlt[kind](toDisplayUrl(query.url).host), fallback } = options
  const boxAttributes = {
    width,
    height,
    ...attributes,
    // Only after an update, because a style attribute in the server's markup would violate a strict content security policy.
    style: updatedImage ? { backgroundColor: background, ...attributes.style } : attributes.style,
  }
  return (
    <>
      {source ? (
        <img
          key={key}
          {...imageAttributes({ image: source, sizes, hasOwnRatio, options })}
          {...boxAttributes}
          ref={element}
          alt={alt}
          src={source.src}
          onLoad={onLoad}
          onError={(event) => {
            onError?.(event)
            onBroken()
          }}
        />
      ) : (
        (fallback ?? <canvas {...boxAttributes} role="img" aria-label={alt} />)
      )}
      {ScreenshotUpdates && (
        <ScreenshotUpdates key={`updates ${key}`} {...{ previewQuery, options, element, onBroken, onImage }} />
      )}
    </>
  )
}, isDeepEqual)

/**
 * The latest image that was reported for this query, and the function that reports one.
 *
 * @param key  Identifies the query by its content.
 */
function useUpdatedImage(key: string): [image: CardImage | undefined, onImage: (image: CardImage) => void] {
  const [update, setUpdate] = useState<{ key: string; image: CardImage }>()
  const onImage = useCallback((image: CardImage) => setUpdate({ key, image }), [key])
  return [update?.key === key ? update.image : undefined, onImage]
}
