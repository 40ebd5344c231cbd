import type { PageResult } from '../../client/index.js'
import type { PageData } from '../../query/index.js'

/** An answer as react-query keeps it: with what the answers before it leave to know. */
export interface PreviewResult extends PageResult {
  /** Data of the first answer, whose pictures are shown until there are others. */
  first?: PageData | undefined
  /** The service is renewing since a moment: an answer made after `newerThan` is awaited; both milliseconds since 1970. */
  renewal?: { newerThan: number; since: number } | undefined
}

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
const PATIENCE_MS = 90_000

/**
 * Milliseconds until the renewed answer may be there: 1,000, 2,000, 4,000 …, for as long as it took to ask in vain is how
 * long to wait for more. `undefined` when none is awaited, or no longer.
 *
 * @param askedAt  When the last answer or failure came, milliseconds since 1970.
 */
export function renewalPauseMs({ renewal }: PreviewResult, askedAt: number): number | undefined {
  if (!renewal || askedAt - renewal.since > PATIENCE_MS) return undefined
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS + Math.max(0, askedAt - renewal.since))
}
