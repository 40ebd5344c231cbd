import { useRef, type KeyboardEvent, type ReactNode } from 'react'
import { fitWidth, NARROWEST_PX, WIDEST_PX } from '../state/playground-link.js'

interface ColumnGripProps {
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

/** Makes the column wider and narrower, by pointer and by keyboard. */
export function ColumnGrip({ widthPx = 0, onWidth }: ColumnGripProps): ReactNode {
  const start = useRef<{ x: number; widthPx: number }>(undefined)
  const width = Math.round(widthPx)

  function step(event: KeyboardEvent) {
    const change = STEPS[event.key]
    if (change === undefined) return
    event.preventDefault()
    onWidth(fitWidth(width + change))
  }
  return (
    <button
      className="grip"
      type="button"
      role="slider"
      aria-label="Column width"
      aria-valuemin={NARROWEST_PX}
      aria-valuemax={WIDEST_PX}
      aria-valuenow={width}
      aria-valuetext={`${width} pixels`}
      onKeyDown={step}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, widthPx }
      }}
      onPointerMove={({ clientX }) => {
        // The column stands in the middle, so it grows on both sides.
        if (start.current) onWidth(fitWidth(start.current.widthPx + 2 * (clientX - start.current.x)))
      }}
      onLostPointerCapture={() => {
        start.current = undefined
      }}
    />
  )
}
