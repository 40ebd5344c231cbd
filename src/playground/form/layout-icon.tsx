import type { ReactNode } from 'react'
import type { Layout } from '../../react/index.js'

/** A rounded rectangle of the icon. */
type Part = readonly [x: number, y: number, width: number, height: number, radius: number, opacity?: number]

const PARTS: Readonly<Record<Layout, readonly Part[]>> = {
  card: [
    [7, 1, 20, 12, 2.5],
    [7, 16, 14, 2.5, 1.2],
    [7, 20.5, 9, 2, 1, 0.6],
  ],
  row: [
    [3, 6, 13, 11, 2.5],
    [19, 7, 12, 2.5, 1.2],
    [19, 12, 8, 2, 1, 0.6],
  ],
  image: [
    [5, 2, 24, 16, 2.5],
    [5, 20.5, 12, 2, 1, 0.6],
  ],
  inline: [
    [1, 6, 6, 2, 1, 0.5],
    [9, 3.5, 16, 7, 2.5],
    [27, 6, 6, 2, 1, 0.5],
    [1, 15, 24, 2, 1, 0.5],
  ],
}

/** A schematic drawing of a layout. */
export function LayoutIcon({ layout }: { layout: Layout }): ReactNode {
  return (
    <svg viewBox="0 0 34 24" fill="currentColor" aria-hidden="true">
      {PARTS[layout].map(([x, y, width, height, rx, opacity]) => (
        <rect key={`${x} ${y}`} x={x} y={y} width={width} height={height} rx={rx} opacity={opacity} />
      ))}
    </svg>
  )
}
