'use client'

// Its own file because it loads when a link is hovered.

import { useLayoutEffect, type ReactNode } from 'react'
import { joinNames } from '../card/card-view.js'
import { InteractiveCard } from '../card/interactive-card.js'
import { useProximity } from '../near-viewport/use-proximity.js'
import { usePreviewProps } from '../page-preview-provider.js'
import type { PagePreviewProps } from '../props.js'
import { useHoverIntent } from './use-hover-intent.js'

interface HoverCardProps extends Partial<PagePreviewProps> {
  /** The element to hover. */
  anchor: HTMLElement
  /** Contains the preview; the anchor itself, or an element elsewhere in the document. */
  container: HTMLElement
}

/** The preview of a `HoverPreview`, in the top layer if the browser has one. */
export function HoverCard({ anchor, container, url, className, ...props }: HoverCardProps): ReactNode {
  const { isNeeded, isOpen } = useHoverIntent(anchor, container)
  useLayoutEffect(() => {
    const card = container.querySelector<HTMLElement>(':scope > [popover]')
    if (!isOpen || !card) return
    // Browsers before 2024 have no popovers.
    if ('showPopover' in card) card.showPopover()
    const isPositionedByStyles = container === anchor && CSS.supports('anchor-scope: all')
    if (!isPositionedByStyles) positionBeside(anchor, card)
  }, [anchor, container, isOpen])
  if (!isNeeded) return null
  return (
    <HoveredCard
      loading="eager"
      {...props}
      url={url ?? anchor.querySelector('a')?.href ?? ''}
      className={joinNames('pp-popover', className)}
      aria-hidden="true"
      popover="manual"
      hidden={!isOpen}
    />
  )
}

/** Mounted once the preview is needed. */
function HoveredCard(ownProps: PagePreviewProps): ReactNode {
  const props = usePreviewProps('HoverPreview', ownProps)
  const [ref, proximity] = useProximity(props.options)
  return <InteractiveCard {...props} proximity={proximity} proximityRef={ref} isPassive />
}

/**
 * Positions a card below its anchor, or above it if there is more space; never beyond the sides of the window. No gap is between them,
 * so that the pointer may rest anywhere on its way to the card.
 */
function positionBeside(anchor: HTMLElement, card: HTMLElement): void {
  const { left, right, top, bottom } = anchor.getBoundingClientRect()
  const { width, height } = card.getBoundingClientRect()
  const isAbove = bottom + height > innerHeight && top > innerHeight - bottom
  const start = getComputedStyle(anchor).direction === 'rtl' ? right - width : left
  // The browser zooms the lengths of a style again.
  const zoom = card.currentCSSZoom ?? 1
  const y = (isAbove ? top - height : bottom) / zoom
  const x = Math.max(0, Math.min(start, innerWidth - width)) / zoom
  // A `position-area` from the stylesheet would change what the inset is measured from.
  const resetArea = 'position-area: none; position-try-fallbacks: none'
  card.style.cssText += `;position: fixed; ${resetArea}; inset: ${y}px auto auto ${x}px; margin: 0 !important`
}
