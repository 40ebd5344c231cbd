'use client'

import { useEffect, useRef, type ElementType, type ImgHTMLAttributes, type ReactNode, type SyntheticEvent } from 'react'
import { imageAttributes, type ImageAttributesInput } from '../image/image-attributes.js'

interface FadeInImageProps
  extends ImageAttributesInput, Omit<ImgHTMLAttributes<HTMLImageElement>, keyof ImageAttributesInput> {
  as: ElementType
  onBroken: () => void
}

/** An image that fades in once it is decoded. Without script, or when it is loaded already, it is visible at once. */
export function FadeInImage({
  as: Image,
  onBroken,
  image,
  sizes,
  options,
  ...attributes
}: FadeInImageProps): ReactNode {
  const element = useRef<HTMLImageElement>(null)
  const latestOnBroken = useRef(onBroken)
  useEffect(() => {
    latestOnBroken.current = onBroken
  })
  useEffect(() => {
    if (!element.current) return
    // Events before hydration were not handled.
    if (!element.current.complete) element.current.toggleAttribute('data-pending', true)
    else if (!element.current.naturalWidth) latestOnBroken.current()
  }, [])
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

async function revealWhenDecoded(image: HTMLImageElement): Promise<void> {
  try {
    await image.decode?.()
  } catch {
    // Its `src` has changed meanwhile; the browser shows the old image until the new one is loaded.
  }
  delete image.dataset.pending
}
