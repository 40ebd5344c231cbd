'use client'

import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import type { CardImage } from '../card/index.js'
import type { PreviewProps } from './data/stable-query.js'
import { usePreviewData } from './data/use-preview-data.js'
import { useProximity } from './near-viewport/use-proximity.js'

interface ScreenshotUpdatesProps {
  props: PreviewProps
  /** The element that shows the image; absent while no image can be loaded. */
  element: RefObject<Element | null>
  onBroken: () => void
  onImage: (image: CardImage) => void
}

/** Fetches the metadata of a screenshot, and reports each image to show. Renders nothing. */
export function ScreenshotUpdates({ props, element, onBroken, onImage }: ScreenshotUpdatesProps): null {
  const [ref, proximity] = useProximity(props.options)
  const { image } = usePreviewData(props, proximity)
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
