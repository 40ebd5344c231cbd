import type { CSSProperties, ReactNode } from 'react'

interface MeterProps {
  /** 0 to 1. */
  fraction: number
  label: string
  colour: string
}

/** A fraction as a bar. */
export function Meter({ fraction, label, colour }: MeterProps): ReactNode {
  const inlineSize = `${Math.round(100 * Math.min(1, Math.max(0, fraction)))}%`
  return (
    <span className="meter" role="img" aria-label={label}>
      <i style={{ inlineSize, '--fill': colour } as CSSProperties} />
    </span>
  )
}
