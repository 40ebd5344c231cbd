'use client'

import { memo, useRef, useState, type ImgHTMLAttributes, type ReactNode } from 'react'
import { chooseImage, defaultImageSize, englishAlt, toDisplayUrl } from '../card/index.js'
import { isScreenshotOption } from '../query/help/index.js'
import { imageAttributes } from './card/image-attributes.js'
import { useShownImage } from './card/interactive-image.js'
import { isDeepEqual } from './deep-equality.js'
import { usePreviewProps } from './page-preview-provider.js'
import type { CaptureProps, SourceOptions } from './props.js'
import type { ScreenshotUpdate } from './screenshot-updates.js'
import { useLazyModule } from './use-lazy-module.js'

export interface PageScreenshotOptions extends SourceOptions {
  /**
   * Shown while there is no image. Default: an empty box of its size.
   *
   * @example fallback: <p>No image</p>
   */
  fallback?: ReactNode
}

/** The props of a screenshot; every other prop is an attribute of its `<img>`. */
export interface PageScreenshotProps
  extends
    CaptureProps,
    PageScreenshotOptions,
    Omit<ImgHTMLAttributes<HTMLImageElement>, keyof CaptureProps | keyof PageScreenshotOptions | 'src' | 'srcSet'> {}

const loadScreenshotUpdates = () => import('./screenshot-updates.js')

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
  const imageRef = useRef<HTMLImageElement>(null)
  const boxRef = useRef<HTMLCanvasElement>(null)
  const props = usePreviewProps('PageScreenshot', ownProps, { screenshot: true, embed: true })
  const { query, options, attributes, stableQuery } = props
  const { ScreenshotUpdates } = useLazyModule(loadScreenshotUpdates, true) ?? {}
  const id = JSON.stringify(query)
  const [latest, onUpdate] = useState<ScreenshotUpdate>()
  const update = latest?.id === id ? latest : undefined
  const { data } = options
  const embed = data ? undefined : stableQuery.request().embed
  const image = chooseImage(update?.page ?? data, { result: update?.result, embed })
  const [shownImage, onBroken] = useShownImage(image)
  const own = image ?? defaultImageSize
  // The reserved size is in CSS pixels, of which an image for sharp screens has several; so it does not become wider.
  const width = Math.min(own.width, defaultImageSize.width)
  const height = Math.round((own.height * width) / own.width)
  const hasOwnRatio = !('height' in attributes) && mayHaveOwnRatio(image?.src ?? '')
  const kind = image?.isScreenshot === false ? 'image' : 'screenshot'
  const { alt = englishAlt[kind](toDisplayUrl(query.url).host), fallback } = options
  const boxAttributes = {
    width,
    height,
    ...attributes,
    // Only after an update, because a style attribute in the server's markup would violate a strict content security policy.
    style: update ? { backgroundColor: image?.background, ...attributes.style } : attributes.style,
  }
  return (
    <>
      {shownImage ? (
        <img
          key={id}
          {...imageAttributes({ image: shownImage, sizes, hasOwnRatio, options })}
          {...boxAttributes}
          ref={imageRef}
          alt={alt}
          src={shownImage.src}
          onLoad={onLoad}
          onError={(event) => {
            onError?.(event)
            onBroken()
          }}
        />
      ) : (
        (fallback ?? <canvas {...boxAttributes} ref={boxRef} role="img" aria-label={alt} />)
      )}
      {ScreenshotUpdates && (
        <ScreenshotUpdates
          key={`updates ${id}`}
          {...{ id, props, element: shownImage ? imageRef : boxRef, onBroken, onUpdate }}
        />
      )}
    </>
  )
}, isDeepEqual)

/** Whether the URL of an embedded image has parameters that may give it another ratio than the default device's. */
const mayHaveOwnRatio = (url: string) =>
  url
    .split(/[?&]/)
    .some((text) => /^(device|viewport)/.test(text) || isScreenshotOption(text.replace(/(\.\d+)?=.*/, '')))
