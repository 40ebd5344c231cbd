import type { ReactNode } from 'react'
import { formatSpan, formatTime } from '../format-time.js'
import type { ReadExchange } from './answer-panel.js'

/** What the answer means for the reader, where the figures alone do not say it. */
export function AnswerSentence({ read }: { read: ReadExchange }): ReactNode {
  const { body, facts } = read
  if (body.code)
    return <p className="said">{body.code === 'ERATE' ? <Limited read={read} /> : <Failed read={read} />}</p>
  const made = { MISS: <Made read={read} />, STALE: <Stale read={read} />, BYPASS: <Made read={read} /> }
  const sentence = made[facts.cache as keyof typeof made]
  return (
    <>
      {sentence && <p className="said">{sentence}</p>}
      {body.warnings.map((warning) => (
        <p key={warning} className="said">
          {warning}
        </p>
      ))}
    </>
  )
}

function Made({ read: { exchange, facts } }: { read: ReadExchange }): ReactNode {
  const { ttlMs, limit } = facts
  return (
    <>
      <b>{formatTime(exchange.durationMs)}</b> made for you{ttlMs && `, kept for ${formatSpan(ttlMs)}`}.
      {limit && (
        <>
          {' '}
          Costs one of today’s {limit.limit}: <b>{limit.remaining} left</b>.
        </>
      )}
    </>
  )
}

const Stale = ({ read: { exchange } }: { read: ReadExchange }): ReactNode => (
  <>
    Given at once in <b>{formatTime(exchange.durationMs)}</b>; a new one is being made. <b>The next request gets it.</b>
  </>
)

function Limited({ read: { exchange, facts, body } }: { read: ReadExchange }): ReactNode {
  const { limit, retryAfterMs } = facts
  if (!limit) return <Failed read={{ exchange, facts, body }} />
  const waitMs = retryAfterMs ?? limit.resetAt - exchange.startedAt
  return (
    <>
      <b>
        {limit.remaining} of {limit.limit} left today.
      </b>{' '}
      Starts again at 00:00 UTC, in {formatSpan(waitMs)}. Kept answers still work.{' '}
      <More read={{ exchange, facts, body }} />
    </>
  )
}

function Failed({ read }: { read: ReadExchange }): ReactNode {
  const { reasons, message } = read.body
  const hasCard = !/[?&]embed=html(&|$)/.test(read.exchange.url)
  return (
    <>
      {reasons.map(([word, reason]) => (
        <b key={word}>
          {word}: {reason}.{' '}
        </b>
      ))}
      {message} {hasCard && 'The card shows the plain link and Retry. '}
      <More read={read} />
    </>
  )
}

const More = ({ read: { body } }: { read: ReadExchange }): ReactNode => (
  <a href={`errors.html#${body.code}`}>About {body.code}</a>
)
