import { Fragment, type CSSProperties, type ReactNode } from 'react'
import { formatDuration, formatPeriod } from '../format-duration.js'
import type { ResponseInfo } from './read-headers.js'

const JUST_NOW_MS = 1_000

/** How long each step took when the result was produced. */
export function Waterfall({ info: { steps, totalMs, ageMs = 0 } }: { info: ResponseInfo }): ReactNode {
  const sumMs = steps.reduce((sum, step) => sum + step.durationMs, 0)
  if (!sumMs) return null
  const percent = (ms: number) => `${((100 * ms) / sumMs).toFixed(2)}%`
  return (
    <div>
      <p>
        <b>{formatDuration(totalMs)}</b>{' '}
        <span className="soft">to produce, {ageMs < JUST_NOW_MS ? 'just now' : `${formatPeriod(ageMs)} ago`}</span>
      </p>
      <div className="waterfall">
        {steps.map(({ name, startMs, durationMs }) => (
          <Fragment key={`${name} ${startMs}`}>
            <span>{name}</span>
            <span className="track">
              <i style={{ '--start': percent(startMs), '--length': percent(durationMs) } as CSSProperties} />
            </span>
            <span className="time">{formatDuration(durationMs)}</span>
          </Fragment>
        ))}
      </div>
    </div>
  )
}
