import { useRef, type KeyboardEvent, type ReactNode } from 'react'
import { clampWidth, MAX_WIDTH_PX, MIN_WIDTH_PX } from '../state/playground-link.js'

interface ResizeHandleProps {
  widthPx: number | undefined
  onWidth: (widthPx: number) => void
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -10,
  ArrowDown: -10,
  ArrowRight: 10,
  ArrowUp: 10,
  PageDown: -100,
  PageUp: 100,
  Home: -Infinity,
  End: Infinity,
}

/** Changes the width of the column, by pointer and by keyboard. */
export function ResizeHandle({ widthPx = 0, onWidth }: ResizeHandleProps): ReactNode {
  const dragStart = useRef<{ x: number; widthPx: number }>(undefined)
  const width = Math.round(widthPx)

  function onKeyDown(event: KeyboardEvent) {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    onWidth(clampWidth(width + step))
  }
  return (
    <button
      className="resize-handle"
      type="button"
      role="slider"
      aria-label="Column width"
      aria-valuemin={MIN_WIDTH_PX}
      aria-valuemax={MAX_WIDTH_PX}
      aria-valuenow={width}
      aria-valuetext={`${width} pixels`}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        dragStart.current = { x: event.clientX, widthPx }
      }}
      onPointerMove={({ clientX }) => {
        // The column is centred, so it grows on both sides.
        if (dragStart.current) onWidth(clampWidth(dragStart.current.widthPx + 2 * (clientX - dragStart.current.x)))
      }}
      onLostPointerCapture={() => {
        dragStart.current = undefined
      }}
    />
  )
}
