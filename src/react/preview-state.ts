import type { PageResult } from '../client/index.js'
import type { PageData, PageError } from '../query/index.js'
import type { ResultDetails } from './props.js'

/** A result as react-query caches it, with what later renders need of previous results. */
export interface PreviewResult extends PageResult {
  /** Data of the first result, whose images are displayed until newer ones arrive. */
  first?: PageData | undefined
  /**
   * The service revalidates this result in the background: a result produced after `newerThan` is awaited since `since`,
   * both milliseconds since 1970.
   */
  revalidation?: { newerThan: number; since: number } | undefined
}

/**
 * Adds to a result what later renders need of the previous one.
 *
 * One newer result ends a revalidation, even if it is stale too: with `staleTtl: 0` every result is `STALE`, so polling for a
 * fresh one would never end.
 */
export function trackRevalidation(result: PageResult, previous: PreviewResult | undefined): PreviewResult {
  const { status, timestamp = 0 } = result.cache
  const { revalidation } = previous ?? {}
  // A page that no longer shows its content does not take away what is displayed.
  const data = result.data.state && previous && !previous.data.state ? previous.data : result.data
  const isPending = status === 'STALE' && !(revalidation && timestamp > revalidation.newerThan)
  return {
    ...result,
    data,
    first: previous && (previous.first ?? previous.data),
    revalidation: isPending ? (revalidation ?? { newerThan: timestamp, since: Date.now() }) : undefined,
  }
}

const FIRST_POLL_MS = 1_000
const LONGEST_POLL_MS = 30_000
const MAX_WAIT_MS = 90_000

/**
 * Milliseconds until the next poll for a revalidated result: 1,000, 2,000, 4,000 … up to 30,000, for 90 seconds in all.
 *
 * @param lastPolledAt  When the last result or failure arrived, milliseconds since 1970.
 * @returns             `undefined` when no result is awaited, or no longer.
 */
export function revalidationPollMs({ revalidation }: PreviewResult, lastPolledAt: number): number | undefined {
  if (!revalidation) return undefined
  const waitedMs = lastPolledAt - revalidation.since
  if (waitedMs > MAX_WAIT_MS) return undefined
  return Math.min(LONGEST_POLL_MS, FIRST_POLL_MS + Math.max(0, waitedMs))
}

/** There is a page to show. */
export interface ReadyPreview {
  /** `refreshing`: a newer result is being fetched. `stale`: it could not be fetched, so the previous one stays. */
  status: 'ready' | 'refreshing' | 'stale'
  /** The data of the result, or the caller's own. */
  page: PageData
  /** Absent for the caller's own data. */
  result?: PreviewResult
  /** The HTTP status of the page: a page that says it is missing has 404, and the state `error-page`. Absent for own data. */
  statusCode?: number
  error?: undefined
}

/** There is no page to show, yet or at all. */
interface WithoutPage {
  page?: undefined
  result?: undefined
  statusCode?: undefined
}

/** The state of one preview. `isRetrying`: the page is fetched again after a failure. */
export type PreviewState =
  | ({ status: 'loading'; error?: undefined } & WithoutPage)
  | ({ status: 'failed'; error: PageError; isRetrying: boolean } & WithoutPage)
  | ReadyPreview

interface QuerySnapshot {
  /** The caller's own data, which takes precedence over every result. */
  ownData: PageData | undefined
  result: PreviewResult | undefined
  /** When the result arrived, milliseconds since 1970. */
  resultAt: number
  error: PageError | null | undefined
  isFetching: boolean
  /** The previous failure, which react-query drops while it fetches again. */
  lastError: PageError | undefined
}

/** Derives the state of a preview from what react-query knows of its query. */
export function previewState({ ownData, result, resultAt, error, isFetching, lastError }: QuerySnapshot): PreviewState {
  if (ownData) return { status: 'ready', page: ownData }
  if (result) {
    const isRefreshing = isFetching || (!error && revalidationPollMs(result, resultAt) !== undefined)
    const status = isRefreshing ? 'refreshing' : error || result.revalidation ? 'stale' : 'ready'
    return { status, page: result.data, result, statusCode: result.statusCode }
  }
  const failure = error ?? lastError
  // A busy service says when it can be requested again, and is.
  if (failure?.code === 'EBUSY' && failure.retryAfterMs !== undefined) return { status: 'loading' }
  return failure ? { status: 'failed', error: failure, isRetrying: !error && isFetching } : { status: 'loading' }
}

/** Errors that the same request causes again. */
const LASTING_ERRORS = /^E(AUTH|FORBIDDENURL|HEADERS|INVAL|MAXREDIRECTS|METHOD|NOEMBED|NOTFOUND|REMOVED|TOOLARGE)/

/** Whether requesting the page again may help. */
export const canRetry = ({ code }: PageError): boolean => !LASTING_ERRORS.test(code)

/** What a result contains beside its data and what later renders need; nothing for the caller's own data. */
export function resultDetails(result: PreviewResult | undefined): ResultDetails {
  const {
    data: _data,
    first: _first,
    revalidation: _revalidation,
    ...details
  } = result ?? ({} as Partial<PreviewResult>)
  return details
}
