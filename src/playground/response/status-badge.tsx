import type { ReactNode } from 'react'
import type { Exchange } from '../state/create-fetch-recorder.js'

interface StatusBadgeProps {
  exchange: Exchange | undefined
  errorCode: string | undefined
}

/** HTTP status and error code. */
export function StatusBadge({ exchange, errorCode }: StatusBadgeProps): ReactNode {
  if (!exchange) return <span className="badge pending">···</span>
  if (exchange.kind === 'failure') return <span className="badge error">no response</span>
  const { status } = exchange
  const text = [status, errorCode].filter(Boolean).join(' ')
  return <span className={status < 400 ? 'badge' : 'badge error'}>{text}</span>
}
