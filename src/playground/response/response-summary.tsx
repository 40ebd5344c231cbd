import prettyBytes from 'pretty-bytes'
import type { ReactNode } from 'react'
import { formatDuration, formatPeriod } from '../format-duration.js'
import { Meter } from './meter.js'
import type { RateLimit } from './read-headers.js'
import type { ReceivedResponse } from './received-response.js'

const CACHE_BADGES: Readonly<Record<string, string>> = { HIT: 'badge', STALE: 'badge stale' }
const JUST_NOW_MS = 1_000

/** Cache, rate limit and response in one line each; the lines are rendered before there is a response too. */
export function ResponseSummary({ response }: { response: ReceivedResponse | undefined }): ReactNode {
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
