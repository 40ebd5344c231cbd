'use client'

import { useEffect, useRef, type ImgHTMLAttributes, type RefObject, type SyntheticEvent } from 'react'

/** An image that arrives within this time is shown at once. */
const FADE_AFTER_MS = 100

interface FadeIn extends Pick<ImgHTMLAttributes<HTMLImageElement>, 'onLoad' | 'onError'> {
  ref: RefObject<HTMLImageElement | null>
}

/**
 * Attributes of an image that fades in once it is decoded, unless it arrives soon, has priority, or is on the first screen of
 * the page, where a fade would only delay it. Until then it has `data-pending`. Without script it is visible at once.
 */
export function useFadeIn(priority: boolean | undefined, onBroken: () => void): FadeIn {
  const ref = useRef<HTMLImageElement>(null)
  const latestOnBroken = useRef(onBroken)
  useEffect(() => {
    latestOnBroken.current = onBroken
  })
  useEffect(() => {
    const { current: element } = ref
    // Events before hydration were not handled.
    if (element?.complete && !element.naturalWidth) latestOnBroken.current()
    if (!element || element.complete || priority) return undefined
    const timer = setTimeout(() => {
      if (!element.naturalWidth && !isOnFirstScreen(element)) element.toggleAttribute('data-pending', true)
    }, FADE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [priority])
  return {
    ref,
    onLoad: (event: SyntheticEvent<HTMLImageElement>) => void revealWhenDecoded(event.currentTarget),
    onError: onBroken,
  }
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
