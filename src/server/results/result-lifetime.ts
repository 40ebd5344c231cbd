import { fields, type PageQuery } from '../../query/index.js'
import { FAILURE_TTL_MS } from '../jobs/index.js'
import type { ExtractionResult, ResultEntry } from './extraction-result.js'

/** The requested `ttl`, milliseconds. */
export const ttlOf = ({ ttl }: PageQuery): number => Number(ttl ?? fields.ttl.default)

/** The longest delay before a page that did not show its content, or could not be verified, is read again. */
const MAX_RETRY_DELAY_MS = 3_600_000

/**
 * Why a page is read again after a delay: it did not show its content, or an image or another resource could not be verified. Each
 * reason has its own first delay in `FAILURE_TTL_MS`.
 */
type RetryReason = 'noContent' | 'unverified'

/** `undefined` for a result that shows the content of its page, and in which everything is verified. */
const retryReasonOf = ({ data, isUnverified }: ExtractionResult): RetryReason | undefined =>
  data.state ? 'noContent' : isUnverified ? 'unverified' : undefined

/**
 * How many times in a row the page is read again for the same reason, with this result; `undefined` if it is not.
 *
 * @param previous  The result before.
 */
export function attemptsOf(result: ExtractionResult, previous: ExtractionResult | undefined): number | undefined {
  const reason = retryReasonOf(result)
  if (!reason) return undefined
  const isRepeated = previous !== undefined && retryReasonOf(previous) === reason
  return (isRepeated ? (previous.attempts ?? 0) : 0) + 1
}

/**
 * Milliseconds for which an entry may be served: the requested `ttl`, but less for a page that responded with 404, for one
 * that could not be prerendered or verified and for an entry that expires earlier, because each may soon have a better result. A
 * page that did not show its content is opened again after a delay instead.
 */
export function lifetimeOf(entry: ResultEntry, requestedTtlMs: number): number {
  const { body, createdAt, expiresAt } = entry
  const lifeMs = expiresAt - createdAt
  // A short `ttl` does not shorten it, because the page would probably show the same again.
  if (body.data.state) return Math.min(retryDelayOf(body), lifeMs)
  return longestLifetime(body, Math.min(requestedTtlMs, lifeMs))
}

/** Milliseconds for which an entry is stored: longer than it is served if the next result depends on it. */
export const storedLifetime = (result: ExtractionResult, ttlMs: number): number =>
  result.attempts === undefined ? longestLifetime(result, ttlMs) : 2 * retryDelayOf(result)

/** Milliseconds until a page that did not show its content, or could not be verified, is read again: each time in a row doubles them. */
function retryDelayOf(result: ExtractionResult): number {
  const { isProvisional, attempts = 1 } = result
  if (isProvisional) return FAILURE_TTL_MS.default
  return Math.min(FAILURE_TTL_MS[retryReasonOf(result) ?? 'default'] * 2 ** (attempts - 1), MAX_RETRY_DELAY_MS)
}

/** Milliseconds for which a result may be served at most. */
function longestLifetime(result: ExtractionResult, ttlMs: number): number {
  if (result.isProvisional || result.isUnverified) return Math.min(ttlMs, retryDelayOf(result))
  return result.statusCode === 404 ? Math.min(ttlMs, FAILURE_TTL_MS.notFound) : ttlMs
}

/**
 * When an entry has to expire so that the request can use it for its whole `ttl`, milliseconds since 1970; `undefined` when it
 * expires late enough. An entry with less than the default life has a result that may soon be replaced by a better one.
 */
export function longerExpiry(entry: ResultEntry, requestedTtlMs: number): number | undefined {
  const lifeMs = entry.expiresAt - entry.createdAt
  return lifeMs < requestedTtlMs && lifeMs >= fields.ttl.default ? entry.createdAt + requestedTtlMs : undefined
}

/**
 * When the current entry has to expire so that it outlives a result that is rejected for it, milliseconds since 1970; `undefined` when
 * it expires late enough. Otherwise the worse result would be forgotten with it, and the next one would take its place. The entry never
 * gets older than the longest `ttl`.
 */
export function expiryBesides(rejected: ResultEntry, current: ResultEntry): number | undefined {
  const expiresAt = Math.min(rejected.expiresAt, current.createdAt + fields.ttl.max)
  return expiresAt > current.expiresAt ? expiresAt : undefined
}

/** The longest `ttl` of any request for the key so far, because each request applies its own to the same entry. */
export const longestTtl = ({ ttl }: PageQuery, current: ResultEntry | undefined) =>
  Math.max(fields.ttl.default, Number(ttl ?? 0), current ? current.expiresAt - current.createdAt : 0)
