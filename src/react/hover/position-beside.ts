const GAP_PX = 6

/** Positions a card below its anchor, or above it where there is more space; never beyond the sides of the window. */
export function positionBeside(anchor: HTMLElement, card: HTMLElement): void {
  const { left, right, top, bottom } = anchor.getBoundingClientRect()
  const { width, height } = card.getBoundingClientRect()
  const isAbove = bottom + GAP_PX + height > innerHeight && top > innerHeight - bottom
  const start = getComputedStyle(anchor).direction === 'rtl' ? right - width : left
  // The browser zooms the lengths of a style again.
  const zoom = card.currentCSSZoom ?? 1
  const y = (isAbove ? top - GAP_PX - height : bottom + GAP_PX) / zoom
  const x = Math.max(0, Math.min(start, innerWidth - width)) / zoom
  // A `position-area` from the stylesheet would change what the inset is measured from.
  const resetArea = 'position-area: none; position-try-fallbacks: none'
  card.style.cssText += `;position: fixed; ${resetArea}; inset: ${y}px auto auto ${x}px; margin: 0 !important`
}
