import type { ReactNode } from 'react'
import type { Exchange } from '../state/create-recorder.js'

interface StatusBadgeProps {
  exchange: Exchange | undefined
  /** Code of an error. */
  code: string | undefined
}

/** HTTP status and error code, in colour and in words. */
export function StatusBadge({ exchange, code }: StatusBadgeProps): ReactNode {
  if (!exchange) return <span className="badge wait">···</span>
  if (exchange.kind === 'lost') return <span className="badge no">no answer</span>
  const { status } = exchange
  return <span className={status < 400 ? 'badge' : 'badge no'}>{[status, code].filter(Boolean).join(' ')}</span>
}
