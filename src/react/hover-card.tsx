'use client'

// Its own file because it loads when a link is hovered.

import { useLayoutEffect, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { LinkOrCard } from './preview-card.js'
import { PagePreviewProvider } from './page-preview-provider.js'
import type { PagePreviewProps } from './props.js'

/** The side of a link on which its card opens. */
export type HoverSide = 'top' | 'bottom' | 'left' | 'right'

/** Where the pointer is, in CSS pixels of the viewport. */
export type Point = Pick<PointerEvent, 'clientX' | 'clientY'>

interface HoverCardProps extends Partial<PagePreviewProps> {
  /** What is hovered: a link, or the element around the children. */
  link: HTMLElement
  /** Contains the card, which inherits the theme from it. */
  container: HTMLElement
  isOpen: boolean
  side: HoverSide
  /** Where the pointer reached the link. */
  pointer: Point | undefined
  /** The caller's card in place of `PagePreview`. */
  render?: ((url: string) => ReactNode) | undefined
}

/** The preview of a `HoverPreview`, in the top layer if the browser has one. */
export function HoverCard({
  link,
  container,
  isOpen,
  side,
  pointer,
  url,
  render,
  ...ownProps
}: HoverCardProps): ReactNode {
  const [popover] = useState(() => createPopover(container))
  useLayoutEffect(() => {
    container.append(popover)
    return () => popover.remove()
  }, [popover, container])
  useLayoutEffect(() => {
    popover.toggleAttribute('hidden', !isOpen)
    if (!isOpen) return undefined
    // Browsers before 2024 have no popovers.
    popover.showPopover?.()
    const target = link === container ? hoveredChild(container, popover) : link
    const place = () => placeBeside(target, popover, side, pointer)
    place()
    const listeners = new AbortController()
    const options = { signal: listeners.signal, capture: true, passive: true }
    for (const type of ['scroll', 'resize']) window.addEventListener(type, place, options)
    return () => listeners.abort()
  }, [popover, link, container, isOpen, side, pointer])
  const previewUrl = url ?? linkedUrl(link)
  return createPortal(
    // The popover around it takes the pointer, so that hovering keeps it open.
    <div ref={makeInert}>
      <PagePreviewProvider defaults={EAGER}>
        {render ? render(previewUrl) : <LinkOrCard {...ownProps} url={previewUrl} />}
      </PagePreviewProvider>
    </div>,
    popover,
  )
}

/** A popover that is not open yet is nowhere near the viewport. */
const EAGER = { loading: 'eager' } as const

/** Not rendered by React, which warns about a card inside a paragraph. Scripts may put one there. */
function createPopover({ ownerDocument }: HTMLElement): HTMLElement {
  const popover = ownerDocument.createElement('div')
  popover.className = 'pp-popover'
  popover.setAttribute('popover', 'manual')
  popover.setAttribute('aria-hidden', 'true')
  return popover
}

// Not an attribute: React 18 and 19 write it differently.
const makeInert = (element: HTMLElement | null) => {
  if (element) element.inert = true
}

function linkedUrl(link: HTMLElement): string {
  const anchor = link.closest('a') ?? link.querySelector<HTMLAnchorElement | SVGAElement>('a')
  // In an SVG it is an object.
  return typeof anchor?.href === 'string' ? anchor.href : (anchor?.getAttribute('href') ?? '')
}

/** The only element among the children, which may be taller than the inline element around it. */
function hoveredChild(container: HTMLElement, popover: HTMLElement): Element {
  const [child = container, ...others] = [...container.children].filter((element) => element !== popover)
  return others.length ? container : child
}

const OPPOSITE = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' } as const

/**
 * Places a card beside an element, or on the opposite side if there is more space, and within the window. No gap is between them,
 * so that the pointer may rest anywhere on its way to the card.
 */
function placeBeside(element: Element, card: HTMLElement, preferred: HoverSide, pointer: Point | undefined): void {
  const { clientWidth, clientHeight } = card.ownerDocument.documentElement
  const { width, height } = card.getBoundingClientRect()
  const line = hoveredLine(element, preferred, pointer)
  const space = { top: line.top, left: line.left, bottom: clientHeight - line.bottom, right: clientWidth - line.right }
  const opposite = OPPOSITE[preferred]
  const isVertical = preferred === 'top' || preferred === 'bottom'
  const isTight = space[preferred] < (isVertical ? height : width) && space[opposite] > space[preferred]
  const side = isTight ? opposite : preferred
  const inWindow = (start: number, size: number, windowSize: number) => Math.max(0, Math.min(start, windowSize - size))
  const isRightToLeft = getComputedStyle(element).direction === 'rtl'
  // The edge at the element is fixed, so that a card that grows does not cover it.
  const insets = isVertical
    ? { left: inWindow(isRightToLeft ? line.right - width : line.left, width, clientWidth) }
    : { top: inWindow(line.top, height, clientHeight) }
  const edge = OPPOSITE[side]
  // From the edge of the window to the far side of the element.
  const edgeInset = {
    top: line.bottom,
    left: line.right,
    bottom: clientHeight - line.top,
    right: clientWidth - line.left,
  }
  const lengths: Partial<Record<HoverSide, number>> = { ...insets, [edge]: edgeInset[edge] }
  // The browser zooms the lengths of a style again.
  const zoom = card.currentCSSZoom ?? 1
  const inset = (['top', 'right', 'bottom', 'left'] as const)
    .map((name) => (lengths[name] === undefined ? 'auto' : `${lengths[name] / zoom}px`))
    .join(' ')
  if (card.style.inset !== inset) card.style.inset = inset
}

/** The line of a link that the pointer is on, for a link that is broken into several lines. */
function hoveredLine(element: Element, side: HoverSide, pointer: Point | undefined): DOMRect {
  const lines = [...element.getClientRects()]
  const isOn = ({ left, right, top, bottom }: DOMRect, { clientX: x, clientY: y }: Point) =>
    x >= left && x <= right && y >= top && y <= bottom
  const hovered = pointer && lines.find((line) => isOn(line, pointer))
  return hovered ?? lines.at(side === 'top' ? 0 : -1) ?? element.getBoundingClientRect()
}
