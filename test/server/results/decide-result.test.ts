import { expect, it } from 'vitest'
import { decideResult } from '../../../src/server/results/decide-result.js'
import type { ExtractionResult } from '../../../src/server/results/index.js'
import { goodResult as good } from '../extraction-result.js'
import { requestScope } from '../request-scope.js'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const errorPage = { ...good, statusCode: 503 }
const botCheck: ExtractionResult = { ...good, data: { ...good.data, state: 'bot-check' }, attempts: 1 }
const provisional = { ...good, isProvisional: true }
const unverified = { ...good, isUnverified: true, attempts: 1 }
const cutShort = { ...good, isCutShort: true }

interface Case {
  name: string
  result: ExtractionResult
  current?: ExtractionResult
  query?: Record<string, unknown>
  mayReplaceBetter?: boolean
  decision: unknown
}

const store = (lifetimeMs: number) => ({ action: 'store', lifetimeMs })
const reject = { action: 'reject', lifetimeMs: expect.any(Number) }
const serveOnce = { action: 'serve-once', lifetimeMs: 0 }
const forced = { query: { force: true }, mayReplaceBetter: true }
const shortened = { query: { timeout: '2s' } }

it.each<Case>([
  { name: 'a first result is stored', result: good, decision: store(DAY_MS) },
  { name: 'a longer ttl is kept', result: good, query: { ttl: '2d' }, decision: store(2 * DAY_MS) },
  { name: 'a good result replaces a good one', result: good, current: good, decision: store(DAY_MS) },
  { name: 'an error page is stored if there is nothing else', result: errorPage, decision: store(DAY_MS) },
  { name: 'an error page replaces an error page', result: errorPage, current: errorPage, decision: store(DAY_MS) },
  { name: 'an error page does not replace a good result', result: errorPage, current: good, decision: reject },
  { name: 'a bot check does not replace a good result', result: botCheck, current: good, decision: reject },
  { name: 'a provisional result lives for a minute', result: provisional, decision: store(MINUTE_MS) },
  {
    name: 'a result with an image that could not be verified is stored for twice the minute that it is served',
    result: unverified,
    decision: store(2 * MINUTE_MS),
  },
  {
    name: 'each such result in a row lives twice as long',
    result: { ...unverified, attempts: 3 },
    current: { ...unverified, attempts: 2 },
    decision: store(8 * MINUTE_MS),
  },
  {
    name: 'but at most for an hour',
    result: { ...unverified, attempts: 30 },
    decision: store(120 * MINUTE_MS),
  },
  { name: 'it does not replace a verified one', result: unverified, current: good, decision: reject },
  { name: 'but a page without content', result: unverified, current: botCheck, decision: store(2 * MINUTE_MS) },
  { name: 'a verified result replaces it', result: good, current: unverified, decision: store(DAY_MS) },
  {
    name: 'a short timeout does not keep it from being stored',
    ...shortened,
    result: unverified,
    decision: store(2 * MINUTE_MS),
  },
  {
    name: 'a provisional result does not replace a complete one',
    result: provisional,
    current: good,
    decision: reject,
  },
  {
    name: 'force alone replaces no better result',
    ...forced,
    mayReplaceBetter: false,
    result: errorPage,
    current: good,
    decision: reject,
  },
  { name: 'force on the pro host does', ...forced, result: errorPage, current: good, decision: store(DAY_MS) },
  {
    name: 'no force stores a bot check over a good result',
    ...forced,
    result: botCheck,
    current: good,
    decision: reject,
  },
  {
    name: 'the pro host without force replaces no better result',
    mayReplaceBetter: true,
    result: errorPage,
    current: good,
    decision: reject,
  },
  {
    name: 'a result that a short timeout cut short is not stored',
    ...shortened,
    result: cutShort,
    decision: serveOnce,
  },
  {
    name: 'nor one that a short timeout made provisional',
    ...shortened,
    result: provisional,
    current: good,
    decision: serveOnce,
  },
  { name: 'a complete result of a short timeout is stored', ...shortened, result: good, decision: store(DAY_MS) },
  { name: 'a result that the default timeout cut short is stored', result: cutShort, decision: store(DAY_MS) },
])('$name', ({ result, current, query, mayReplaceBetter = false, decision }) => {
  const scope = requestScope({ url: 'https://example.com/', ...query }, { mayReplaceBetter })
  const entry = current && { createdAt: 0, expiresAt: DAY_MS, images: [], subjects: [], body: current }
  expect(decideResult(result, scope, entry)).toEqual(decision)
})
