import type { ReactNode } from 'react'
import type { Exchange } from '../state/create-fetch-recorder.js'

interface StatusBadgeProps {
  exchange: Exchange | undefined
  errorCode: string | undefined
  /** What the page showed instead of its content. */
  pageState: string | undefined
}

/** HTTP status, with the error code or with what the page showed instead of its content. */
export function StatusBadge({ exchange, errorCode, pageState }: StatusBadgeProps): ReactNode {
  if (!exchange) return <span className="badge pending">···</span>
  if (exchange.kind === 'failure') return <span className="badge error">no response</span>
  const { status } = exchange
  const text = [status, errorCode ?? pageState].filter(Boolean).join(' ')
  const success = pageState ? 'badge stale' : 'badge'
  return <span className={status < 400 ? success : 'badge error'}>{text}</span>
}
