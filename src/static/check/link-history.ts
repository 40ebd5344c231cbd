import type { AttemptResult } from './classify-attempt.js'

/** What earlier checks found of a link that failed. */
export interface FailingLink {
  /** ISO 8601: the first check of those in a row in which it failed. */
  since: string
  /** Checks in a row. */
  checks: number
  /** ISO 8601: the latest of them. */
  latest: string
  reason: string
}

/** Failing links by URL. */
export type LinkHistory = Map<string, FailingLink>

const DAY_MS = 86_400_000

interface Attempt {
  result: AttemptResult
  /** Milliseconds since 1970. */
  now: number
}

/** The record of a link after a check; `undefined` for a link that works. One that could not be judged keeps its record. */
export function nextRecord(
  known: FailingLink | undefined,
  { result: { outcome, reason = '' }, now }: Attempt,
): FailingLink | undefined {
  if (outcome === 'works') return undefined
  if (outcome === 'unclear') return known
  const latest = new Date(now).toISOString()
  return { since: known?.since ?? latest, checks: (known?.checks ?? 0) + 1, latest, reason }
}

/**
 * Whether a failing link counts as gone: after several checks, and where nothing but its absence was noticed, after a day at the
 * earliest, because an outage of a site lasts for hours.
 */
export function isGone(
  { since, checks }: FailingLink,
  { result, now, goneAfter }: Attempt & { goneAfter: number },
): boolean {
  return checks >= goneAfter && (result.outcome === 'absent' || now - Date.parse(since) >= DAY_MS)
}
