import { setTimeout as sleep } from 'node:timers/promises'
import { watchMotion, readMotion } from './in-page/motion.js'
import { waitForPaint } from './in-page/page-scripts.js'
import { atMost } from './main-frame.js'
import { DocumentReplacedError, runInPage } from './run-in-page.js'
import type { Visit } from './visit.js'

const POLL_MS = 60
/** What scripts move, type or draw has come to rest when nothing visible has changed for this long. */
const REST_MS = 200
/** Longest wait for it: some never rests. */
const MAX_MOTION_MS = 1_800
/** The same for animations of CSS, if the caller wants them to run. */
const MAX_ANIMATION_MS = 3_000
/** Longest wait for what covers the page while it loads, and says no more than that. */
const MAX_LOADER_MS = 3_000
/** Longest wait for something that is still transparent to be shown. */
const MAX_HIDDEN_MS = 1_200

/** Whether `waitForRest` has anything to wait for on this page. */
const hasMotion = ({ query, isTextOnly }: Visit): boolean => query.javascript !== false && !isTextOnly

/** Begins to observe what scripts change, for `waitForRest`. */
export async function watchForRest(visit: Visit): Promise<void> {
  if (hasMotion(visit)) await runInPage(visit.page, watchMotion)
}

/**
 * Waits until what scripts move, fade in, count, type or draw has come to rest; animations of CSS are brought to their end instead.
 *
 * @param isWhole  Whether that counts outside of the viewport too.
 * @returns        Whether it has waited.
 */
export async function waitForRest(visit: Visit, isWhole = false): Promise<boolean> {
  if (!hasMotion(visit)) return false
  const { page, frame, query, deadline, signal } = visit
  const isAnimated = query.animations === true
  const loaderId = frame.document()?.loaderId
  const remainingMs = atMost(isAnimated ? MAX_ANIMATION_MS : MAX_MOTION_MS, deadline.limitWait)
  const remainingLoaderMs = atMost(MAX_LOADER_MS, deadline.limitWait)
  const remainingHiddenMs = atMost(MAX_HIDDEN_MS, deadline.limitWait)
  let hasPainted = false
  for (let round = 0; ; round++) {
    try {
      const motion = await runInPage(page, readMotion, REST_MS, isWhole, isAnimated)
      const { hiddenCount, drawingCount, isBehindLoader } = motion
      const isMoving = motion.isMoving && remainingMs() > 0
      const isNew = drawingCount > 0 && round === 0
      const isHidden = hiddenCount > 0 && remainingHiddenMs() > 0
      if (isMoving || isNew || isHidden || (isBehindLoader && remainingLoaderMs() > 0)) hasPainted = false
      else if (round === 0 || hasPainted) return round > 0
      else {
        // A busy machine may have given scripts no frame to move anything in.
        await runInPage(page, waitForPaint)
        hasPainted = true
        continue
      }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof DocumentReplacedError) throw error
      // The page is captured as it is, if it makes a script of the service fail.
      return round > 0
    }
    await sleep(POLL_MS, undefined, { signal })
    if (frame.isNavigating() || frame.document()?.loaderId !== loaderId) return true
  }
}
