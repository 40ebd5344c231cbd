import type { ReactNode } from 'react'
import { CopyButton } from '../copy-button.js'
import type { Recording } from '../state/create-fetch-recorder.js'
import { receivedResponse } from './received-response.js'
import { ResponseDetails } from './response-details.js'
import { ResponseExplanation } from './response-explanation.js'
import { ResponseSummary } from './response-summary.js'
import { StatusBadge } from './status-badge.js'
import { Waterfall } from './waterfall.js'

/** The request that the preview sent, and its response. */
export function ResponsePanel({ recording }: { recording: Recording }): ReactNode {
  const { pendingUrl, exchange: last } = recording
  // The response of an earlier query would be misleading while another one is in progress.
  const exchange = pendingUrl && pendingUrl !== last?.url ? undefined : last
  const url = pendingUrl ?? exchange?.url
  const response = exchange?.kind === 'response' ? receivedResponse(exchange) : undefined
  return (
    <section className="panel response" aria-label="Request and response" aria-busy={Boolean(pendingUrl)}>
      <div className="request-line">
        <StatusBadge exchange={exchange} errorCode={response?.body.code} pageState={response?.body.state} />
        <code title={url}>{url ? requestLine(url) : 'No request yet'}</code>
        {url && <CopyButton className="btn small" text={() => url} />}
      </div>
      <ResponseSummary response={response} />
      {/* Everything that may be missing comes last, so that nothing above it moves. */}
      {exchange?.kind === 'failure' && (
        <p className="explanation">
          <b>{exchange.reason}</b> Is it still running? Press Run to try again.
        </p>
      )}
      {response && <ResponseExplanation response={response} />}
      {response && <Waterfall info={response.info} />}
      {response && <ResponseDetails response={response} />}
    </section>
  )
}

function requestLine(url: string): string {
  const { pathname, search } = new URL(url, location.href)
  return `GET ${pathname}${search}`
}
