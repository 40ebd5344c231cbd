import type { PageResult } from '../../client/index.js'
import type { PageData } from '../../query/index.js'

/** An answer as react-query keeps it: with what the answers before it leave to know. */
export interface KeptAnswer extends PageResult {
  /** Data of the first answer, whose pictures are shown until there are others. */
  first?: PageData | undefined
  /** The service is renewing: an answer made after `newerThan` (milliseconds since 1970) is awaited. */
  renewal?: { newerThan: number; attempts: number } | undefined
}

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
const MAX_ATTEMPTS = 7

/**
 * One newer answer ends a renewal, whatever that answer says of itself: with `staleTtl: 0` every answer is `STALE`, and
 * asking until none is would never end.
 */
export function keepAnswer(answer: PageResult, before: KeptAnswer | undefined): KeptAnswer {
  const { status, timestamp = 0 } = answer.cache
  const { renewal } = before ?? {}
  const isAwaited = status === 'STALE' && !(renewal && timestamp > renewal.newerThan)
  return {
    ...answer,
    first: before && (before.first ?? before.data),
    renewal: isAwaited
      ? { newerThan: renewal?.newerThan ?? timestamp, attempts: renewal ? renewal.attempts + 1 : 0 }
      : undefined,
  }
}

/** Milliseconds until the renewed answer may be there; `undefined` when none is awaited, or no longer. */
export function renewalPauseMs({ renewal }: KeptAnswer): number | undefined {
  if (!renewal || renewal.attempts >= MAX_ATTEMPTS) return undefined
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** renewal.attempts)
}

/** The picture that a page is shown with. */
export function pictureUrl({ screenshot, image }: PageData): string | undefined {
  return (screenshot ?? image)?.url
}
