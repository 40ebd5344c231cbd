'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import type { DisplayUrl } from '../../card/index.js'
import type { PreviewRef } from '../data/use-preview-data.js'

/**
 * Moves the focus to the link of a card when the link of its placeholder had it.
 *
 * @returns  The ref of the root element.
 */
export function useFocusHandover(ref: PreviewRef, displayUrl: DisplayUrl): (element: HTMLElement | null) => void {
  const root = useRef<HTMLElement>(null)
  // Read in the first render: the placeholder is removed before any effect.
  const [previouslyFocused] = useState(focusedElement)
  const [href] = useState(displayUrl.href)
  useEffect(() => {
    if (!previouslyFocused || previouslyFocused.isConnected || previouslyFocused.getAttribute('href') !== href) return
    const link = root.current?.matches('a') ? root.current : root.current?.querySelector('a')
    link?.focus({ preventScroll: true })
  }, [previouslyFocused, href])
  return useCallback(
    (element) => {
      root.current = element
      ref(element)
    },
    [ref],
  )
}

/** Also inside shadow roots, of which the document knows only the host element. */
function focusedElement(): Element | null {
  if (typeof document === 'undefined') return null
  let element: Element | null = document.activeElement
  // Two elements of the page with this name hide the property.
  if (!(element instanceof Element)) return null
  while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  return element
}
