import type { PageResult } from '../../client/index.js'
import type { PreviewResult } from './preview-result.js'

const FIRST_POLL_MS = 1_000
const LONGEST_POLL_MS = 30_000
const MAX_WAIT_MS = 90_000

/**
 * Adds to a result what later renders need of the previous one.
 *
 * One newer result ends a revalidation, whatever its cache status: with `staleTtl: 0` every result is `STALE`, so polling
 * until one is not would never end.
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
