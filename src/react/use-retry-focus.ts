'use client'

import { useEffect, useRef, type RefObject } from 'react'

interface RetryFocus {
  link: RefObject<HTMLAnchorElement | null>
  /** To be called when Retry is pressed. */
  hold: (button: HTMLElement) => void
}

/** Takes the focus of a pressed Retry to the link when the button goes, unless the reader has gone elsewhere. */
export function useRetryFocus(isThere: boolean): RetryFocus {
  const link = useRef<HTMLAnchorElement>(null)
  const isHeld = useRef(false)
  useEffect(() => {
    if (!isThere || !isHeld.current || !link.current) return
    isHeld.current = false
    const { activeElement, body } = link.current.ownerDocument
    if (!activeElement || activeElement === body) link.current.focus({ preventScroll: true })
  }, [isThere])
  return {
    link,
    hold(button) {
      isHeld.current = button.matches(':focus')
    },
  }
}
