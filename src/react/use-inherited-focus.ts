'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import type { UsePagePreviewResult } from './data/index.js'

/**
 * Gives a card's link the focus that the link in its place had before.
 *
 * @returns  For the card's element.
 */
export function useInheritedFocus({ ref, address }: UsePagePreviewResult): (element: HTMLElement | null) => void {
  const card = useRef<HTMLElement>(null)
  // What has it while the card is made is gone once the card is there.
  const [before] = useState(focused)
  const [href] = useState(address.href)
  useEffect(() => {
    if (!before || before.isConnected || before.getAttribute('href') !== href) return
    const link = card.current?.matches('a') ? card.current : card.current?.querySelector('a')
    link?.focus({ preventScroll: true })
  }, [before, href])
  return useCallback(
    (element) => {
      card.current = element
      ref(element)
    },
    [ref],
  )
}

/** In the shadow roots of elements too, where a document sees only the element around. */
function focused(): Element | null {
  let element = typeof document === 'undefined' ? null : document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  return element
}
