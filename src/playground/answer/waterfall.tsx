import { Fragment, type CSSProperties, type ReactNode } from 'react'
import { formatSpan, formatTime } from '../format-time.js'
import type { ExchangeFacts } from './exchange-facts.js'

const NOW_MS = 1_000

/** How long each step took when the answer was made. */
export function Waterfall({ facts: { steps, totalMs, ageMs = 0 } }: { facts: ExchangeFacts }): ReactNode {
  const sumMs = steps.reduce((sum, step) => sum + step.durationMs, 0)
  if (!sumMs) return null
  const percent = (ms: number) => `${((100 * ms) / sumMs).toFixed(2)}%`
  return (
    <div>
      <p>
        <b>{formatTime(totalMs)}</b>{' '}
        <span className="soft">when it was made, {ageMs < NOW_MS ? 'just now' : `${formatSpan(ageMs)} ago`}</span>
      </p>
      <div className="fall">
        {steps.map(({ name, startMs, durationMs }) => (
          <Fragment key={`${name} ${startMs}`}>
            <span>{name}</span>
            <span className="bar-line">
              <i style={{ '--from': percent(startMs), '--part': percent(durationMs) } as CSSProperties} />
            </span>
            <span className="time">{formatTime(durationMs)}</span>
          </Fragment>
        ))}
      </div>
    </div>
  )
}
