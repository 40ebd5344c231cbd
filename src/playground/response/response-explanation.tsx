import type { ReactNode } from 'react'
import { formatDuration, formatPeriod } from '../format-duration.js'
import type { ReceivedResponse } from './received-response.js'

interface ExplanationProps {
  response: ReceivedResponse
}

/** What the response means for the user, if status and figures do not show it. */
export function ResponseExplanation({ response }: ExplanationProps): ReactNode {
  const { body, info } = response
  if (body.code)
    return (
      <p className="explanation">
        {body.code === 'ERATE' ? <RateLimited response={response} /> : <Failed response={response} />}
      </p>
    )
  const explanations = {
    MISS: <Produced response={response} />,
    STALE: <Stale response={response} />,
    BYPASS: <Produced response={response} />,
  }
  const explanation = explanations[info.cache as keyof typeof explanations]
  return (
    <>
      {explanation && <p className="explanation">{explanation}</p>}
      {body.warnings.map((warning) => (
        <p key={warning} className="explanation">
          {warning}
        </p>
      ))}
    </>
  )
}

function Produced({ response: { exchange, info } }: ExplanationProps): ReactNode {
  const { ttlMs, rateLimit } = info
  return (
    <>
      Produced in <b>{formatDuration(exchange.durationMs)}</b>
      {ttlMs && `, cached for ${formatPeriod(ttlMs)}`}.
      {rateLimit && (
        <>
          {' '}
          Used one of today’s {rateLimit.limit} requests: <b>{rateLimit.remaining} left</b>.
        </>
      )}
    </>
  )
}

const Stale = ({ response: { exchange } }: ExplanationProps): ReactNode => (
  <>
    Served from the cache in <b>{formatDuration(exchange.durationMs)}</b> while a new result is produced in the
    background. <b>The next request gets it.</b>
  </>
)

function RateLimited({ response }: ExplanationProps): ReactNode {
  const { rateLimit, retryAfterMs } = response.info
  if (!rateLimit) return <Failed response={response} />
  const waitMs = retryAfterMs ?? rateLimit.resetAt - response.exchange.startedAt
  return (
    <>
      <b>
        {rateLimit.remaining} of {rateLimit.limit} left today.
      </b>{' '}
      The limit resets at 00:00 UTC, in {formatPeriod(waitMs)}. Cached results still work.{' '}
      <ErrorLink response={response} />
    </>
  )
}

function Failed({ response }: ExplanationProps): ReactNode {
  const { reasons, message } = response.body
  const hasCard = !/[?&]embed=html(&|$)/.test(response.exchange.url)
  return (
    <>
      {reasons.map(([parameter, reason]) => (
        <b key={parameter}>
          {parameter}: {reason}.{' '}
        </b>
      ))}
      {message} {hasCard && 'The card shows the plain link and Retry. '}
      <ErrorLink response={response} />
    </>
  )
}

const ErrorLink = ({ response: { body } }: ExplanationProps): ReactNode => (
  <a href={`errors.html#${body.code}`}>About {body.code}</a>
)
