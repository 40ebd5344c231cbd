'use client'

import { useEffect, useState } from 'react'
import { observeHoverIntent, type HoverStage } from './observe-hover-intent.js'

interface HoverIntent {
  /** The user has shown intent to open the preview, so it is fetched. */
  isNeeded: boolean
  isOpen: boolean
}

/**
 * Whether the preview of `anchor` should be fetched and shown. It opens on hover, on keyboard focus and on a long press, may
 * be hovered itself, and closes on Escape or a tap outside.
 *
 * @param container  Contains the preview; the anchor itself, or an element elsewhere in the document.
 * @see              https://www.w3.org/WAI/WCAG22/Understanding/content-on-hover-or-focus.html
 */
export function useHoverIntent(anchor: HTMLElement, container: HTMLElement): HoverIntent {
  const [stage, setStage] = useState<HoverStage>('closed')
  useEffect(() => observeHoverIntent(anchor, container, setStage), [anchor, container])
  return { isNeeded: stage !== 'closed', isOpen: stage === 'open' }
}
