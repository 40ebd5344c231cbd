'use client'

import { useEffect, useRef, useState, type ReactNode } from 'react'

interface PreviewImageProps {
  className: string
  src: string
  width: number
  height: number
  alt: string
  loading: 'lazy' | 'eager' | undefined
  onBroken: () => void
}

/** A picture that fades in. Without script, and when it was there already, it is simply seen. */
export function PreviewImage({ src, loading = 'lazy', onBroken, ...attributes }: PreviewImageProps): ReactNode {
  const image = useRef<HTMLImageElement>(null)
  const broken = useRef(onBroken)
  const [isPending, setIsPending] = useState(false)

  useEffect(() => {
    broken.current = onBroken
  })
  useEffect(() => {
    const { complete, naturalWidth } = image.current!
    // What happened before hydration sent its events to nobody.
    if (complete && naturalWidth === 0) broken.current()
    setIsPending(!complete)
  }, [])

  async function reveal() {
    try {
      await image.current?.decode?.()
    } catch {
      // Another picture took its place meanwhile: the browser keeps the old one until that is there.
    }
    setIsPending(false)
  }

  return (
    <img
      {...attributes}
      ref={image}
      loading={loading}
      decoding="async"
      // After `loading`, or React 18 starts every download at once.
      src={src}
      data-pending={isPending ? '' : undefined}
      onLoad={() => void reveal()}
      onError={onBroken}
    />
  )
}
