import type { ReactNode } from 'react'
import { CopyButton } from '../copy-button.js'
import type { Exchange, Recording } from '../state/create-recorder.js'
import { AnswerDetails } from './answer-details.js'
import { AnswerSentence } from './answer-sentence.js'
import { AnswerFacts } from './answer-facts.js'
import { exchangeFacts, type ExchangeFacts } from './exchange-facts.js'
import { readBody, type ResponseBody } from './read-body.js'
import { StatusBadge } from './status-badge.js'
import { Waterfall } from './waterfall.js'

/** An exchange, read. */
export interface ReadExchange {
  exchange: Extract<Exchange, { kind: 'answer' }>
  facts: ExchangeFacts
  body: ResponseBody
}

/** The request that the card made, and all that came back. */
export function AnswerPanel({ recording }: { recording: Recording }): ReactNode {
  const { pendingUrl, exchange: last } = recording
  // What an earlier request got is no answer to this one.
  const exchange = pendingUrl && pendingUrl !== last?.url ? undefined : last
  const url = pendingUrl ?? exchange?.url
  const read = exchange?.kind === 'answer' ? readExchange(exchange) : undefined
  return (
    <section className="panel answer" aria-label="Request and answer" aria-busy={Boolean(pendingUrl)}>
      <div className="line">
        <StatusBadge exchange={exchange} code={read?.body.code} />
        <code title={url}>{url ? requestLine(url) : 'No request yet'}</code>
        {url && <CopyButton className="btn small" text={() => url} />}
      </div>
      <AnswerFacts read={read} />
      {/* Below the lines that are always there, so that nothing moves when it comes. */}
      {exchange?.kind === 'lost' && (
        <p className="said">
          <b>{exchange.reason}</b> Is it still running? Run asks again.
        </p>
      )}
      {read && <AnswerSentence read={read} />}
      {read && <Waterfall facts={read.facts} />}
      {read && <AnswerDetails read={read} />}
    </section>
  )
}

function readExchange(exchange: ReadExchange['exchange']): ReadExchange {
  const { headers, startedAt, durationMs, text } = exchange
  return { exchange, facts: exchangeFacts(headers, startedAt + durationMs), body: readBody(text) }
}

function requestLine(url: string): string {
  const { pathname, search } = new URL(url, location.href)
  return `GET ${pathname}${search}`
}
