import { compareCaptures, type ComparedCapture, type ComparePixels, type Difference } from './compare-captures.js'
import { isNoise, noiseSelectors } from './page-noise.js'

/**
 * Captures a page once more, as a new visit.
 *
 * @param clockAheadMs  By how much the clock of the page runs ahead.
 * @throws  {IncomparableError} if it cannot be captured now.
 */
export type TakeTwin = (clockAheadMs: number) => Promise<ComparedCapture>

/** Compares the pixels of two captures. */
export type CompareImages = (before: ComparedCapture, now: ComparedCapture) => ComparePixels

/** A capture cannot be compared. The message completes a sentence that begins with the page. */
export class IncomparableError extends Error {
  override readonly name = 'IncomparableError'
}

/** What is found out about a capture. */
export interface Findings {
  /** What differs from the capture before, and is no noise. */
  changes: Difference[]
  /** Selectors of noise that were found now. */
  noise: string[]
}

/**
 * How far the clock of the page runs ahead in each twin: by other hours, minutes and seconds, and later by days, so that clocks, dates
 * and "3 minutes ago" are not the same in them.
 */
const CLOCKS_AHEAD_MS = [4_271_000, 94_953_000, 14_888_000, 183_417_000]
/** Twins that a change needs; an advert may be the same in one of them. */
const MIN_TWINS = 2
/** With more differences, and hardly anything in common, a twin shows something else than the page. */
const MAX_DIFFERENCES = 10
/** The least share of a page that is the same each time. */
const MIN_SAME = 0.2

/**
 * Finds out which differences between a capture and the one before are changes, by twins of the new capture: what differs between
 * twins, which are seconds apart, is noise.
 *
 * @param open    The differences, without known noise.
 * @throws        {IncomparableError} if that cannot be found out now.
 */
export async function confirmChanges(
  open: readonly Difference[],
  capture: ComparedCapture,
  takeTwin: TakeTwin,
  compareImages: CompareImages,
): Promise<Findings> {
  let changes = [...open]
  const noise = new Set<string>()
  let twins = 0
  for (const clockAheadMs of CLOCKS_AHEAD_MS) {
    if (changes.length === 0) break
    const found = await takeTwin(clockAheadMs)
      .then((twin) => findNoise(capture, twin, compareImages))
      .catch((error: unknown) => {
        if (twins < MIN_TWINS || !(error instanceof IncomparableError)) throw error
      })
    // Enough twins are the same, and there is no time for more.
    if (!found) break
    twins++
    for (const selector of found) noise.add(selector)
    changes = changes.filter((difference) => !isNoise(difference, noise))
  }
  return { changes, noise: [...noise] }
}

/**
 * The selectors of what differs between a capture and its twin.
 *
 * @throws  {IncomparableError} if hardly anything is the same.
 */
export async function findNoise(
  capture: ComparedCapture,
  twin: ComparedCapture,
  compareImages: CompareImages,
): Promise<string[]> {
  const { differences, same } = await compareCaptures(capture, twin, compareImages(capture, twin))
  const share = same.length / (same.length + differences.length)
  if (differences.length > MAX_DIFFERENCES && share < MIN_SAME)
    throw new IncomparableError('hardly shows anything twice')
  return noiseSelectors(differences, same)
}

/** The clock of the twin that is taken of the first capture of a page, which has nothing to be compared with. */
export const FIRST_CLOCK_AHEAD_MS = CLOCKS_AHEAD_MS[0]!
