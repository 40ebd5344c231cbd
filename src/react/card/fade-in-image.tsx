'use client'

import { useEffect, useRef, type ElementType, type ImgHTMLAttributes, type ReactNode, type SyntheticEvent } from 'react'
import { imageAttributes, type ImageAttributesInput } from '../image/image-attributes.js'

interface FadeInImageProps
  extends ImageAttributesInput, Omit<ImgHTMLAttributes<HTMLImageElement>, keyof ImageAttributesInput> {
  as: ElementType
  onBroken: () => void
}

/** An image that arrives within this time is shown at once. */
const FADE_AFTER_MS = 100

/**
 * An image that fades in once it is decoded, unless it arrives soon, has priority, or is on the first screen of the page, where
 * a fade would only delay it. Without script it is visible at once.
 */
export function FadeInImage({
  as: Image,
  onBroken,
  image,
  sizes,
  options,
  ...attributes
}: FadeInImageProps): ReactNode {
  const { priority } = options
  const element = useRef<HTMLImageElement>(null)
  const latestOnBroken = useRef(onBroken)
  useEffect(() => {
    latestOnBroken.current = onBroken
  })
  useEffect(() => {
    const { current: image } = element
    // Events before hydration were not handled.
    if (image?.complete && !image.naturalWidth) latestOnBroken.current()
    if (!image || image.complete || priority) return undefined
    const timer = setTimeout(() => {
      if (!image.naturalWidth && !isOnFirstScreen(image)) image.toggleAttribute('data-pending', true)
    }, FADE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [priority])
  return (
    <Image
      // React 18 warns about a `ref` on a function component, so the caller's own component shows its image at once.
      {...(Image === 'img' && { ref: element })}
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

const isOnFirstScreen = (image: Element) => image.getBoundingClientRect().top + scrollY < innerHeight

async function revealWhenDecoded(image: HTMLImageElement): Promise<void> {
  try {
    await image.decode?.()
  } catch {
    // Its `src` has changed while it was decoded; the browser shows the old image until the new one is loaded.
  }
  delete image.dataset.pending
}
