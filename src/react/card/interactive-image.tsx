'use client'

import { useEffect, useRef, useState, type ImgHTMLAttributes, type ReactNode, type SyntheticEvent } from 'react'
import type { CardImage } from '../../card/index.js'
import { imageAttributes, type ImageAttributesInput } from './image-attributes.js'

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
  const [hasRetried, setHasRetried] = useState(false)
  const isRetryDue = Boolean(image && !shown && !hasRetried)
  useEffect(() => {
    if (!isRetryDue) return undefined
    const timer = setTimeout(() => {
      setHasRetried(true)
      setBrokenUrls([])
    }, RETRY_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isRetryDue])
  if (!image || shown === urls[0]) return [image, onBroken]
  return [shown ? { ...image, src: shown, srcSet: undefined } : undefined, onBroken]
}

interface FadeInImageProps
  extends ImageAttributesInput, Omit<ImgHTMLAttributes<HTMLImageElement>, keyof ImageAttributesInput> {
  onBroken: () => void
}

/** An image that arrives within this time is shown at once. */
const FADE_AFTER_MS = 100

/**
 * An image that fades in once it is decoded, unless it arrives soon, has priority, or is on the first screen of the page, where
 * a fade would only delay it. Without script it is visible at once.
 */
export function FadeInImage({ onBroken, image, sizes, options, ...attributes }: FadeInImageProps): ReactNode {
  const { priority } = options
  const elementRef = useRef<HTMLImageElement>(null)
  const latestOnBroken = useRef(onBroken)
  useEffect(() => {
    latestOnBroken.current = onBroken
  })
  useEffect(() => {
    const { current: element } = elementRef
    // Events before hydration were not handled.
    if (element?.complete && !element.naturalWidth) latestOnBroken.current()
    if (!element || element.complete || priority) return undefined
    const timer = setTimeout(() => {
      if (!element.naturalWidth && !isOnFirstScreen(element)) element.toggleAttribute('data-pending', true)
    }, FADE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [priority])
  return (
    <img
      ref={elementRef}
      {...imageAttributes({ image, sizes, options })}
      {...attributes}
      src={image.src}
      onLoad={(event: SyntheticEvent<HTMLImageElement>) => {
        attributes.onLoad?.(event)
        void revealWhenDecoded(event.currentTarget)
      }}
      onError={(event: SyntheticEvent<HTMLImageElement>) => {
        attributes.onError?.(event)
        onBroken()
      }}
    />
  )
}

const isOnFirstScreen = (element: Element) => element.getBoundingClientRect().top + scrollY < innerHeight

async function revealWhenDecoded(element: HTMLImageElement): Promise<void> {
  try {
    await element.decode?.()
  } catch {
    // Its `src` has changed while it was decoded; the browser shows the old image until the new one is loaded.
  }
  delete element.dataset.pending
}
