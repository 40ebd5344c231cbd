'use client'

import { useLayoutEffect, type ReactNode } from 'react'
import { joinNames } from '../card/class-names.js'
import { InteractiveCard } from '../card/interactive-card.js'
import type { PagePreviewProps } from '../props/page-preview-props.js'
import type { PartComponents } from '../props/styling-props.js'
import { positionBeside } from './position-beside.js'
import { useHoverIntent } from './use-hover-intent.js'

interface HoverCardProps extends Partial<PagePreviewProps> {
  /** The element to hover. */
  anchor: HTMLElement
  /** Contains the preview; the anchor itself, or an element elsewhere in the document. */
  container: HTMLElement
}

// It may be inside a paragraph and next to a link, so it has only inline elements, and nothing to click.
const INLINE_PARTS: PartComponents = {
  root: 'span',
  media: 'span',
  body: 'span',
  text: 'span',
  link: 'span',
  foot: 'span',
  retry: () => null,
  badge: () => null,
}

/** The preview of a `HoverPreview`, in the top layer where the browser has one. */
export function HoverCard({
  anchor,
  container,
  url,
  components,
  className,
  unstyled,
  ...props
}: HoverCardProps): ReactNode {
  const { isNeeded, isOpen } = useHoverIntent(anchor, container)
  useLayoutEffect(() => {
    const card = container.querySelector<HTMLElement>(':scope > [popover]')
    if (!isOpen || !card) return
    // Browsers before 2024 have no popovers.
    if ('showPopover' in card) card.showPopover()
    const isPositionedByStyles = !unstyled && container === anchor && CSS.supports('anchor-scope: all')
    if (!isPositionedByStyles) positionBeside(anchor, card)
  }, [anchor, container, isOpen, unstyled])
  if (!isNeeded) return null
  return (
    <InteractiveCard
      component="HoverPreview"
      loading="eager"
      {...props}
      url={url ?? anchor.querySelector('a')?.href ?? ''}
      unstyled={unstyled}
      components={{ ...INLINE_PARTS, ...components }}
      className={joinNames(!unstyled && 'pp-popover', className)}
      aria-hidden="true"
      popover="manual"
      hidden={!isOpen}
    />
  )
}
