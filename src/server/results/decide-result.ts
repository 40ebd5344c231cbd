import { PageError, type PageQuery } from '../../query/index.js'
import { FAILURE_TTL_MS } from '../jobs/index.js'
import { describeState } from '../page-state/index.js'
import { isShortened, type RequestScope } from '../request-scope.js'
import type { ExtractionResult, ResultEntry } from './extraction-result.js'
import { longestTtl, storedLifetime } from './result-lifetime.js'

/**
 * What happens to a new result, and for how many milliseconds it is stored:
 * - `store`: it becomes the result of its key.
 * - `reject`: it is stored under `rejectedKey`, because the current result is better and stays.
 * - `serve-once`: it is not stored, and is sent only to the requests that wait for it now.
 */
interface ResultDecision {
  action: 'store' | 'reject' | 'serve-once'
  lifetimeMs: number
}

/** A new entry, or the entry that another request or instance has stored in the meantime. */
export interface ProducedEntry {
  entry: ResultEntry
  /** Whether the entry of the key is better, and stays. */
  isRejected: boolean
}

/**
 * Decides what happens to a new result, so that a worse one never replaces a better one.
 *
 * @param current  The entry of its key, if any.
 */
export function decideResult(
  result: ExtractionResult,
  scope: Pick<RequestScope, 'query' | 'mayReplaceBetter'>,
  current: ResultEntry | undefined,
): ResultDecision {
  const { query } = scope
  if (wasCutShortByCaller(result, query)) return { action: 'serve-once', lifetimeMs: 0 }
  if (current && !forcesReplacement(result, scope) && whyNotReplace(result, current.body))
    return { action: 'reject', lifetimeMs: storedLifetime(result, FAILURE_TTL_MS.rejected) }
  return { action: 'store', lifetimeMs: storedLifetime(result, longestTtl(query, current)) }
}

/**
 * Whether a request replaces even a better result with this one. A result without content never replaces a better one, because its
 * delay applies to other requests too.
 */
export const forcesReplacement = (
  { data }: ExtractionResult,
  { query, mayReplaceBetter }: Pick<RequestScope, 'query' | 'mayReplaceBetter'>,
): boolean => mayReplaceBetter && query.force === true && !data.state

/** Whether a request with the default timeout would have had a better result. */
const wasCutShortByCaller = ({ isCutShort, isProvisional }: ExtractionResult, query: PageQuery) =>
  isShortened(query) && Boolean(isCutShort || isProvisional)

/**
 * Why a new result must not replace the current one; `undefined` if it may.
 *
 * @returns  `EBRWSRTIMEOUT`: the browser had too little time for the new result, but enough for the current one.
 *           `EUNREACHABLE`: only the current one has the content of the page, or was verified.
 */
export function whyNotReplace(result: ExtractionResult, current: ExtractionResult): PageError | undefined {
  const { state } = result.data
  // Its owner does not want the current one to be shown either.
  if (state === 'opted-out') return undefined
  if (hasContent(current)) {
    if (state) return new PageError('EUNREACHABLE', `The page now ${describeState(state)}.`)
    if (result.statusCode >= 400)
      return new PageError('EUNREACHABLE', `The page now responds with status ${result.statusCode}.`)
  }
  if (current.data.state) return undefined
  if (result.isUnverified && !current.isUnverified && !current.isProvisional)
    return new PageError('EUNREACHABLE', 'An image of the page, or another resource, could not be verified this time.')
  if (result.isProvisional && !current.isProvisional)
    return new PageError('EBRWSRTIMEOUT', 'The browser had too little time for the page, or could not open it.')
  return undefined
}

/** Whether a result shows the content of its page, and neither an error nor what `state` names. */
const hasContent = ({ data, statusCode }: ExtractionResult) => data.state === undefined && statusCode < 400
