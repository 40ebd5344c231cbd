'use client'

import { useEffect, useRef, type ElementType, type ImgHTMLAttributes, type ReactNode, type SyntheticEvent } from 'react'
import { imageAttributes, type ShownPicture } from './image-attributes.js'

interface PreviewImageProps extends ShownPicture, Omit<ImgHTMLAttributes<HTMLImageElement>, keyof ShownPicture> {
  as: ElementType
  onBroken: () => void
}

/** A picture that fades in. Without script, and when it was there already, it is simply seen. */
export function PreviewImage({ as: Image, onBroken, picture, sizes, options, ...rest }: PreviewImageProps): ReactNode {
  const image = useRef<HTMLImageElement>(null)
  const broken = useRef(onBroken)
  useEffect(() => {
    broken.current = onBroken
  })
  useEffect(() => {
    const shown = image.current
    if (!shown) return
    // What happened before hydration sent its events to nobody.
    if (!shown.complete) shown.toggleAttribute('data-pending', true)
    else if (!shown.naturalWidth) broken.current()
  }, [])
  return (
    <Image
      // React 18 warns of one on a component; what is not ours looks after itself.
      {...(Image === 'img' && { ref: image })}
      {...imageAttributes({ picture, sizes, options })}
      {...rest}
      src={picture.src}
      onLoad={(event: SyntheticEvent<HTMLImageElement>) => {
        rest.onLoad?.(event)
        void reveal(event.currentTarget)
      }}
      onError={(event: SyntheticEvent<HTMLImageElement>) => {
        rest.onError?.(event)
        onBroken()
      }}
    />
  )
}

async function reveal(image: HTMLImageElement): Promise<void> {
  try {
    await image.decode?.()
  } catch {
    // Another picture took its place meanwhile: the browser keeps the old one until that is there.
  }
  delete image.dataset.pending
}
