'use client'

import { useLayoutEffect, type ReactNode } from 'react'
import { LiveCard } from './live-card.js'
import type { PagePreviewProps } from './page-preview-props.js'
import { join } from './part-names.js'
import type { PartComponents } from './preview-elements.js'
import { useHoverIntent } from './use-hover-intent.js'

interface HoverCardProps extends Partial<PagePreviewProps> {
  /** What is pointed at. */
  anchor: HTMLElement
  /** What the preview stands in; the anchor itself, or a place elsewhere on the page. */
  home: HTMLElement
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
export function HoverCard({ anchor, home, url, components, className, unstyled, ...props }: HoverCardProps): ReactNode {
  const { isWanted, isOpen } = useHoverIntent(anchor, home)
  useLayoutEffect(() => {
    const card = home.querySelector<HTMLElement>(':scope > [popover]')
    if (!isOpen || !card) return
    // Not in browsers before 2024.
    if ('showPopover' in card) card.showPopover()
    // Where the stylesheet cannot bring it there.
    if (unstyled || home !== anchor || !CSS.supports('anchor-scope: all')) putBeside(anchor, card)
  }, [anchor, home, isOpen, unstyled])
  if (!isWanted) return null
  return (
    <LiveCard
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

/** Below its anchor, or above where there is more room; never past the sides of the window. */
function putBeside(anchor: HTMLElement, card: HTMLElement): void {
  const { left, right, top, bottom } = anchor.getBoundingClientRect()
  const { width, height } = card.getBoundingClientRect()
  const isAbove = bottom + GAP_PX + height > innerHeight && top > innerHeight - bottom
  const start = getComputedStyle(anchor).direction === 'rtl' ? right - width : left
  // What is set is zoomed once more.
  const zoom = card.currentCSSZoom ?? 1
  const y = (isAbove ? top - GAP_PX - height : bottom + GAP_PX) / zoom
  const x = Math.max(0, Math.min(start, innerWidth - width)) / zoom
  // Where the stylesheet's anchor is known but not in reach, its area would be what the inset counts from.
  const area = 'position-area: none; position-try-fallbacks: none'
  card.style.cssText += `;position: fixed; ${area}; inset: ${y}px auto auto ${x}px; margin: 0 !important`
}
