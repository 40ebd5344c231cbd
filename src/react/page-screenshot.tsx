'use client'

import { useIsRestoring } from '@tanstack/react-query'
import {
  forwardRef,
  Fragment,
  memo,
  useImperativeHandle,
  useRef,
  useState,
  type HTMLAttributes,
  type ImgHTMLAttributes,
  type ReactNode,
  type Ref,
} from 'react'
import { chooseImage, defaultImageSize, imageAlt, requestOf, toDisplayUrl } from '../card/index.js'
import { isDeepEqual, useKnownQueryClient } from './preview-query.js'
import { imageAttributes, useShownImage } from './image.js'
import { usePreviewProps } from './page-preview-provider.js'
import { joinNames, type CaptureProps, type ScreenshotProp, type SourceOptions } from './props.js'
import type { PreviewResult } from './preview-state.js'
import type { ScreenshotUpdate } from './screenshot-updates.js'
import { useLazyModule } from './use-lazy-module.js'

export interface PageScreenshotOptions extends SourceOptions {
  /**
   * The options of the screenshot.
   *
   * @default true
   * @example screenshot: { fullPage: true, type: 'webp' }
   */
  readonly screenshot?: boolean | ScreenshotProp | undefined
  /**
   * The `src` is a URL of the service, which browsers request at once; `false` waits for the metadata first, which name the image.
   *
   * @default true
   * @example embed: false
   */
  readonly embed?: CaptureProps['embed']
  /**
   * Shown in place of an image that cannot be loaded. Default: an empty box of its size, which is also there while the image loads.
   *
   * @example fallback: <p>No image</p>
   */
  fallback?: ReactNode
}

/** The props of a screenshot; every other prop, `onLoad` and `onError` included, is an attribute of its `<img>`. */
export interface PageScreenshotProps
  extends
    Omit<CaptureProps, 'screenshot' | 'embed'>,
    PageScreenshotOptions,
    Omit<ImgHTMLAttributes<HTMLImageElement>, keyof CaptureProps | keyof PageScreenshotOptions | 'src' | 'srcSet'> {
  /**
   * Receives the `<img>`, or the box in its place; nothing while a `fallback` is shown.
   *
   * @example ref: imageRef
   */
  ref?: Ref<HTMLElement> | undefined
}

const loadScreenshotUpdates = () => import('./screenshot-updates.js')

/**
 * The screenshot of a page and nothing else: an `<img>` from the first render; what keeps it fresh is loaded afterwards. When
 * it cannot be loaded, an empty box of the same size with the same accessible name takes its place.
 *
 * With `styles.css` it is never wider than its container, and keeps the ratio that is reserved first: the one of `width` and
 * `height`, else the screenshot's own if it is known from `data` or the cache, else 16:10. Pass both for an `element`, whose ratio only
 * you know before it was shown once.
 *
 * @example  <PageScreenshot url="https://example.com" element="#main" width={640} height={400} />
 */
export const PageScreenshot = /* @__PURE__ */ memo(
  /* @__PURE__ */ forwardRef<HTMLElement, PageScreenshotProps>(function PageScreenshot(
    { onLoad, onError, sizes = '100vw', ...ownProps },
    ref,
  ): ReactNode {
    const imageRef = useRef<HTMLImageElement>(null)
    const boxRef = useRef<HTMLCanvasElement>(null)
    const props = usePreviewProps('PageScreenshot', ownProps, { screenshot: true, embed: true })
    const { query, options, attributes, stableQuery, id } = props
    const { ScreenshotUpdates } = useLazyModule(loadScreenshotUpdates, true) ?? {}
    const [latest, onUpdate] = useState<ScreenshotUpdate>()
    const update = latest?.id === id ? latest : undefined
    const { data } = options
    const request = data ? undefined : requestOf(stableQuery)
    const queryClient = useKnownQueryClient(options.queryClient)
    const result = update?.result ?? (request && queryClient?.getQueryData<PreviewResult>(request.queryKey))
    const page = data ?? result?.data
    const image = chooseImage(page, request?.embed, result)
    const [shownImage, onBroken] = useShownImage(image)
    // While the image is loading, the box tells whether it is near the viewport.
    const fallback = image || page || update || request?.error ? options.fallback : undefined
    const isRestoring = useIsRestoring()
    const current = { key: `${id} ${isRestoring}`, size: image ?? defaultImageSize }
    const [reserved, setReserved] = useState(current)
    // A newer image has the size that was reserved, so that nothing moves.
    if (reserved.key !== current.key) setReserved(current)
    const alt = imageAlt({ ...options, displayUrl: toDisplayUrl(query.url), page, image })
    const boxAttributes = {
      ...attributes,
      ...boxSize(attributes, reserved.size),
      className: joinNames('pp-screenshot', attributes.className),
      // An element is shown whole; of a page that is taller than its box, the top.
      'data-fit': query.element ? 'contain' : undefined,
      // Only after an update, because a style attribute in the server's markup would violate a strict content security policy.
      style: update ? { backgroundColor: image?.background, ...attributes.style } : attributes.style,
    }
    useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => imageRef.current ?? boxRef.current)
    return (
      <Fragment key={id}>
        {shownImage ? (
          <img
            {...imageAttributes({ image: shownImage, sizes, options })}
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
          fallback || <canvas {...boxAttributes} ref={boxRef} role="img" aria-label={alt} />
        )}
        {ScreenshotUpdates && (
          <ScreenshotUpdates {...{ props, element: shownImage ? imageRef : fallback ? undefined : boxRef, onUpdate }} />
        )}
      </Fragment>
    )
  }),
  isDeepEqual,
)

type Size = Pick<ImgHTMLAttributes<HTMLImageElement>, 'width' | 'height'>

/**
 * The `width` and `height` of an image: the caller's, completed by its ratio. It is in CSS pixels, of which an image for sharp
 * screens has several, so it is not wider than the default device.
 */
function boxSize({ width, height }: HTMLAttributes<HTMLElement> & Size, own: { width: number; height: number }): Size {
  const ratio = own.width / own.height
  const boxWidth =
    width ??
    (height === undefined
      ? Math.min(own.width, defaultImageSize.width)
      : Math.round((Number(height) || own.height) * ratio))
  return { width: boxWidth, height: height ?? Math.round((Number(boxWidth) || own.width) / ratio) }
}
