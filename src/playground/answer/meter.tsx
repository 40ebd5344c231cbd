import type { CSSProperties, ReactNode } from 'react'

interface MeterProps {
  /** 0 to 1. */
  part: number
  label: string
  colour: string
}

/** A part of a whole, as a bar. */
export function Meter({ part, label, colour }: MeterProps): ReactNode {
  const inlineSize = `${Math.round(100 * Math.min(1, Math.max(0, part)))}%`
  return (
    <span className="meter" role="img" aria-label={label}>
      <i style={{ inlineSize, '--fill': colour } as CSSProperties} />
    </span>
  )
}
