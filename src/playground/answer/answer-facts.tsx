import prettyBytes from 'pretty-bytes'
import type { ReactNode } from 'react'
import { formatSpan, formatTime } from '../format-time.js'
import type { ReadExchange } from './answer-panel.js'
import { Meter } from './meter.js'

const CACHE_LOOKS: Readonly<Record<string, string>> = { HIT: 'badge', STALE: 'badge stale' }
const NOW_MS = 1_000

/** Cache, limit and answer in three lines, which are there before there is anything to say. */
export function AnswerFacts({ read }: { read: ReadExchange | undefined }): ReactNode {
  return (
    <dl className="kv">
      <dt>Cache</dt>
      <dd>{read?.facts.cache ? <CacheLine read={read} /> : <None />}</dd>
      <dt>Rate limit</dt>
      <dd>{read?.facts.limit ? <LimitLine limit={read.facts.limit} /> : <None />}</dd>
      <dt>Answer</dt>
      <dd>{read ? <AnswerLine read={read} /> : <None />}</dd>
    </dl>
  )
}

const None = () => <span className="soft">–</span>

function CacheLine({ read: { facts } }: { read: ReadExchange }): ReactNode {
  const { cache = '', ageMs, ttlMs } = facts
  const age = ageMs === undefined ? undefined : ageMs < NOW_MS ? 'just now' : `${formatSpan(ageMs)} old`
  const life = ttlMs && formatSpan(ttlMs)
  return (
    <>
      <span className={CACHE_LOOKS[cache] ?? 'badge miss'}>{cache}</span>
      <span>{age}</span>
      {life && ageMs !== undefined && (
        <>
          <Meter part={ageMs / ttlMs} label={`${formatSpan(ageMs)} of ${life}`} colour="var(--good)" />
          <span className="soft">of {life}</span>
        </>
      )}
    </>
  )
}

function LimitLine({ limit: { limit, remaining } }: { limit: { limit: number; remaining: number } }): ReactNode {
  return (
    <>
      <span>
        <b>{remaining}</b> <span className="soft">of {limit} left today</span>
      </span>
      <Meter part={remaining / limit} label={`${remaining} of ${limit} left`} colour="var(--brand)" />
    </>
  )
}

function AnswerLine({ read: { exchange, facts } }: { read: ReadExchange }): ReactNode {
  const words = [prettyBytes(exchange.byteLength), facts.fetchMode, facts.plan].filter(Boolean)
  return (
    <>
      <b>{formatTime(exchange.durationMs)}</b>
      <span className="soft">{words.join(' · ')}</span>
    </>
  )
}
