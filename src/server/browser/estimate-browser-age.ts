/** Stable releases between which milestones are counted: https://chromiumdash.appspot.com/schedule */
const RELEASES = [
  { milestone: 94, date: Date.UTC(2021, 8, 21) },
  { milestone: 143, date: Date.UTC(2025, 11, 2) },
  { milestone: 153, date: Date.UTC(2026, 8, 8) },
] as const
const DAY_MS = 24 * 3_600_000
/** Since milestone 153 there is a release every two weeks; before, there was one about every four. */
const CYCLE_MS = 14 * DAY_MS

/** From this age on, published exploits for a browser's known bugs have to be expected. */
export const OUTDATED_AFTER_DAYS = 60

/**
 * Estimates how long ago a Chromium was released, from its milestone and the release cycle of Chrome: a file's date says
 * only when it was installed.
 *
 * @param version  `143.0.7499.0`
 * @returns        Whole days, within about two weeks; `undefined` for a version without a milestone.
 */
export function estimateBrowserAgeDays(version: string, now: number): number | undefined {
  const milestone = Number(/^\d+/.exec(version)?.[0])
  if (!milestone) return undefined
  return Math.max(0, Math.floor((now - releaseDate(milestone)) / DAY_MS))
}

function releaseDate(milestone: number): number {
  const [first, second, last] = RELEASES
  if (milestone >= last.milestone) return last.date + (milestone - last.milestone) * CYCLE_MS
  const [from, to] = milestone >= second.milestone ? [second, last] : [first, second]
  return from.date + ((milestone - from.milestone) * (to.date - from.date)) / (to.milestone - from.milestone)
}
