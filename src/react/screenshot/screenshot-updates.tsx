'use client'

import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import type { CardImage } from '../../card/index.js'
import type { SourceOptions } from '../data/source-options.js'
import { usePreviewData } from '../data/use-preview-data.js'
import type { PreviewQuery } from '../data/use-stable-query.js'

interface ScreenshotUpdatesProps {
  previewQuery: PreviewQuery
  options: SourceOptions
  /** The element that shows the image; absent while no image can be loaded. */
  element: RefObject<Element | null>
  onBroken: () => void
  onImage: (image: CardImage) => void
}

/** Fetches the metadata of a screenshot, and reports each image to show. Renders nothing. */
export function ScreenshotUpdates({ previewQuery, options, element, onBroken, onImage }: ScreenshotUpdatesProps): null {
  const [ref, { image }] = usePreviewData(previewQuery, { ...options, component: 'PageScreenshot' })
  // In a layout effect, because the hook above checks in an effect whether it has an element.
  useLayoutEffect(() => {
    ref(element.current)
    return () => ref(null)
  }, [element, ref])
  const initialOnBroken = useRef(onBroken)
  useEffect(() => {
    const { current } = element
    // Errors before hydration were not handled.
    if (current instanceof HTMLImageElement && current.complete && !current.naturalWidth) initialOnBroken.current()
  }, [element])
  // Compared by content, because each render has a new object.
  const serializedImage = JSON.stringify(image)
  useEffect(() => {
    if (serializedImage) onImage(JSON.parse(serializedImage) as CardImage)
  }, [serializedImage, onImage])
  return null
}
