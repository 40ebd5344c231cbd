import prettyBytes from 'pretty-bytes'
import { type CSSProperties, Fragment, type ReactNode } from 'react'
import { CopyButton } from './copy-button.js'
import { type Exchange, receivedResponse, type ReceivedResponse, type Recording } from './fetch-recorder.js'
import { formatDuration, formatPeriod } from './format-duration.js'
import type { ExplainedSection, RateLimit, ResponseInfo } from './read-response.js'

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
      {response && response.body.explanation.length > 0 && <Explanation sections={response.body.explanation} />}
      {response && <ResponseDetails response={response} />}
    </section>
  )
}

function requestLine(url: string): string {
  const { pathname, search } = new URL(url, location.href)
  return `GET ${pathname}${search}`
}

const CACHE_BADGES: Readonly<Record<string, string>> = { HIT: 'badge', STALE: 'badge stale' }
const JUST_NOW_MS = 1_000

/** Cache, rate limit and response in one line each; the lines are rendered before there is a response too. */
function ResponseSummary({ response }: { response: ReceivedResponse | undefined }): ReactNode {
  return (
    <dl className="summary">
      <dt>Cache</dt>
      <dd>{response?.info.cache ? <CacheLine response={response} /> : <Empty />}</dd>
      <dt>Rate limit</dt>
      <dd>{response?.info.rateLimit ? <RateLimitLine rateLimit={response.info.rateLimit} /> : <Empty />}</dd>
      <dt>Response</dt>
      <dd>{response ? <ResponseLine response={response} /> : <Empty />}</dd>
    </dl>
  )
}

const Empty = () => <span className="soft">–</span>

function CacheLine({ response: { info } }: { response: ReceivedResponse }): ReactNode {
  const { cache = '', ageMs, ttlMs } = info
  const age = ageMs === undefined ? undefined : ageMs < JUST_NOW_MS ? 'just now' : `${formatPeriod(ageMs)} old`
  const ttl = ttlMs && formatPeriod(ttlMs)
  return (
    <>
      <span className={CACHE_BADGES[cache] ?? 'badge miss'}>{cache}</span>
      <span>{age}</span>
      {ttl && ageMs !== undefined && (
        <>
          <Meter fraction={ageMs / ttlMs} label={`${formatPeriod(ageMs)} of ${ttl}`} colour="var(--good)" />
          <span className="soft">of {ttl}</span>
        </>
      )}
    </>
  )
}

function RateLimitLine({ rateLimit: { limit, remaining } }: { rateLimit: RateLimit }): ReactNode {
  return (
    <>
      <span>
        <b>{remaining}</b> <span className="soft">of {limit} left today</span>
      </span>
      <Meter fraction={remaining / limit} label={`${remaining} of ${limit} left`} colour="var(--brand)" />
    </>
  )
}

function ResponseLine({ response: { exchange, info } }: { response: ReceivedResponse }): ReactNode {
  const details = [prettyBytes(exchange.byteLength), info.fetchMode, info.plan].filter(Boolean)
  return (
    <>
      <b>{formatDuration(exchange.durationMs)}</b>
      <span className="soft">{details.join(' · ')}</span>
    </>
  )
}

interface StatusBadgeProps {
  exchange: Exchange | undefined
  errorCode: string | undefined
  /** What the page showed instead of its content. */
  pageState: string | undefined
}

/** HTTP status, with the error code or with what the page showed instead of its content. */
function StatusBadge({ exchange, errorCode, pageState }: StatusBadgeProps): ReactNode {
  if (!exchange) return <span className="badge pending">···</span>
  if (exchange.kind === 'failure') return <span className="badge error">no response</span>
  const { status } = exchange
  const text = [status, errorCode ?? pageState].filter(Boolean).join(' ')
  const success = pageState ? 'badge stale' : 'badge'
  return <span className={status < 400 ? success : 'badge error'}>{text}</span>
}

interface ExplanationProps {
  response: ReceivedResponse
}

/** What the response means for the user, if status and figures do not show it. */
function ResponseExplanation({ response }: ExplanationProps): ReactNode {
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

/** How the result came about, open because it was requested. */
const Explanation = ({ sections }: { sections: readonly ExplainedSection[] }): ReactNode => (
  <details className="details" open>
    <summary>How it came about</summary>
    {sections.map(({ title, rows }) => (
      <Fragment key={title}>
        <h3>{title}</h3>
        <dl>
          {rows.map(([name, text], index) => (
            <Row key={index} name={name} value={text} />
          ))}
        </dl>
      </Fragment>
    ))}
  </details>
)

/** Body, headers and redirects, complete. */
function ResponseDetails({ response: { exchange, body } }: { response: ReceivedResponse }): ReactNode {
  const { redirects, text } = body
  return (
    <details className="details">
      <summary>JSON, headers and redirects</summary>
      <h3>Body</h3>
      {/* Focusable, so that it can be scrolled by keyboard. */}
      <pre tabIndex={0} role="group" aria-label="Response body">
        {text}
      </pre>
      <h3>Headers</h3>
      <dl>
        {[...exchange.headers].map(([name, value]) => (
          <Row key={name} name={name} value={value} />
        ))}
      </dl>
      <h3>Redirects</h3>
      {redirects.length ? (
        <dl>
          {redirects.map(({ statusCode, url }, index) => (
            <Row key={index} name={String(statusCode)} value={url} />
          ))}
        </dl>
      ) : (
        <p className="soft">None.</p>
      )}
    </details>
  )
}

const Row = ({ name, value }: { name: string; value: string }): ReactNode => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
)

/** How long each step took when the result was produced. */
function Waterfall({ info: { steps, totalMs, ageMs = 0 } }: { info: ResponseInfo }): ReactNode {
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

interface MeterProps {
  /** 0 to 1. */
  fraction: number
  label: string
  colour: string
}

/** A fraction as a bar. */
function Meter({ fraction, label, colour }: MeterProps): ReactNode {
  const inlineSize = `${Math.round(100 * Math.min(1, Math.max(0, fraction)))}%`
  return (
    <span className="meter" role="img" aria-label={label}>
      <i style={{ inlineSize, '--fill': colour } as CSSProperties} />
    </span>
  )
}
