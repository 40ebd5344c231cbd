'use client'

import { useLayoutEffect, type ReactNode } from 'react'
import { PagePreview } from './page-preview.js'
import type { PagePreviewProps } from './page-preview-props.js'
import { join, type PartComponents } from './preview-elements.js'
import { useHoverIntent } from './use-hover-intent.js'

interface HoverCardProps extends Partial<PagePreviewProps> {
  anchor: HTMLElement
}

// It may stand in a paragraph and beside a link, so there are only words in it.
const WORDS_ONLY: PartComponents = {
  root: 'span',
  media: 'span',
  body: 'span',
  text: 'span',
  link: 'span',
  foot: 'span',
  retry: () => null,
  badge: () => null,
}

/** The preview of `HoverPreview`, in the top layer where there is one. */
export function HoverCard({ anchor, url, components, className, unstyled, ...props }: HoverCardProps): ReactNode {
  const { isWanted, isOpen } = useHoverIntent(anchor)
  useLayoutEffect(() => {
    const card = anchor.querySelector<HTMLElement>(':scope > [popover]')
    if (isOpen && card) open(card, anchor)
  }, [anchor, isOpen])
  if (!isWanted) return null
  return (
    <PagePreview
      loading="eager"
      {...props}
      url={url ?? anchor.querySelector('a')?.href ?? ''}
      unstyled={unstyled}
      components={{ ...WORDS_ONLY, ...components }}
      className={join(!unstyled && 'pp-popover', className)}
      aria-hidden="true"
      popover="manual"
      hidden={!isOpen}
    />
  )
}

const GAP_PX = 6

/** Into the top layer, and beside its anchor where the stylesheet alone cannot bring it. */
function open(card: HTMLElement, anchor: HTMLElement): void {
  // Not in browsers before 2024.
  if ('showPopover' in card) card.showPopover()
  if (CSS.supports('anchor-scope: all') && getComputedStyle(card).positionAnchor !== 'auto') return
  const { left, right, top, bottom } = anchor.getBoundingClientRect()
  const { innerWidth, innerHeight } = window
  const { offsetWidth, offsetHeight } = card
  const isRightToLeft = getComputedStyle(anchor).direction === 'rtl'
  const start = isRightToLeft ? right - offsetWidth : left
  const below = bottom + GAP_PX
  const isAbove = below + offsetHeight > innerHeight && top > innerHeight - bottom
  card.style.inset = `${isAbove ? top - GAP_PX - offsetHeight : below}px auto auto ${Math.max(0, Math.min(start, innerWidth - offsetWidth))}px`
  card.style.margin = '0'
}
