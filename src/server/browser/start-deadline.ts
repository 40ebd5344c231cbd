import { PageError } from '../../query/index.js'
import type { Slot } from '../budget/index.js'
import { followSignals } from '../jobs/index.js'

/** The stages of a visit, in order; the names appear in `server-timing`. */
export type Stage = 'queue' | 'browser' | 'navigate' | 'wait' | 'screenshot' | 'encode'

/** The time limit of a visit, and a record of where its time went. */
export interface Deadline {
  /**
   * Aborts with the caller's own reason; with a `PageError` that fits the stage when time is up, or when the visit has to yield and
   * the page does not let it: a page whose scripts run without end responds to nothing.
   */
  readonly signal: AbortSignal
  enterStage(stage: Stage): void
  /** Milliseconds until the time is up. */
  remainingMs: () => number
  /** How long to wait for the page at most; the rest of the time is reserved for the screenshot. 0 once the visit yields. */
  remainingWaitMs: () => number
  /** Whether the visit has to end its waits, because it has had its time and the slot is contended; then for the rest of the visit. */
  mustYield(): boolean
  /** Whether a wait for the page was shortened for that; another time the page may show more. */
  hasShortenedWaits(): boolean
  /** The slot that the visit has got. */
  occupy(slot: Slot): void
  /** @param delayCause  What keeps the page from responding besides itself: it becomes the cause when time is up. */
  followDelays(delayCause: () => Error | undefined): void
  /** Stops the timer, and no longer follows the signals. @returns Milliseconds per stage, and in `total`. */
  stop(): Record<string, number>
}

export interface DeadlineOptions {
  /** Signals of the caller, and of what it depends on. */
  signals: readonly AbortSignal[]
  timeoutMs: number
  /** Screenshots of whole pages take longer. */
  isFullPage: boolean
}

/** The part of the time that is reserved for the screenshot, with an upper limit. */
const SCREENSHOT_SHARE = 0.3
const MAX_SCREENSHOT_MS = 3_000
const MAX_FULL_PAGE_MS = 8_000
/** Enough to load most pages and for a `waitForTimeout` of 3 seconds. */
const MIN_VISIT_MS = 8_000
/** For what remains to be done when a visit yields before the screenshot; a page that responds needs a tenth of it. */
const MAX_LAST_STEPS_MS = 2_000
const YIELD_POLL_MS = 100

export function startDeadline({ signals, timeoutMs, isFullPage }: DeadlineOptions): Deadline {
  const startedAt = performance.now()
  const reservedMs = Math.min(timeoutMs * SCREENSHOT_SHARE, isFullPage ? MAX_FULL_PAGE_MS : MAX_SCREENSHOT_MS)
  const timings: Record<string, number> = {}
  let stage: Stage = 'queue'
  let stageStartedAt = startedAt
  let navigatedAt = Infinity
  let occupied: Slot | undefined
  let delayCause = (): Error | undefined => undefined
  let yieldedAt = Infinity
  let hasShortenedWaits = false
  /** Milliseconds that the page may use in each stage after `yieldedAt`. The other stages do not wait for the page. */
  const leftMs: Partial<Record<Stage, number>> = { navigate: 0, wait: MAX_LAST_STEPS_MS, screenshot: reservedMs }

  const usedSinceYieldMs = () => Math.max(0, performance.now() - Math.max(stageStartedAt, yieldedAt))
  const recordStage = () => {
    const left = leftMs[stage]
    if (left !== undefined) leftMs[stage] = left - usedSinceYieldMs()
    const now = performance.now()
    timings[stage] = Math.round((timings[stage] ?? 0) + now - stageStartedAt)
    stageStartedAt = now
  }
  const mustYield = () => {
    const now = performance.now()
    const hasHadItsTime = now - navigatedAt >= MIN_VISIT_MS
    if (yieldedAt === Infinity && hasHadItsTime && occupied?.isContended()) yieldedAt = now
    return yieldedAt < Infinity
  }
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(timeoutError(stage, timeoutMs, delayCause())), timeoutMs)
  const yieldPoll = setInterval(() => {
    const left = leftMs[stage] ?? Infinity
    if (mustYield() && usedSinceYieldMs() >= left) timeout.abort(unresponsiveError(delayCause()))
  }, YIELD_POLL_MS)
  const { signal, release } = followSignals([...signals, timeout.signal])
  return {
    signal,
    enterStage(next) {
      recordStage()
      stage = next
      if (stage === 'navigate') navigatedAt = performance.now()
    },
    remainingMs: () => Math.max(0, startedAt + timeoutMs - performance.now()),
    remainingWaitMs() {
      hasShortenedWaits ||= mustYield()
      return hasShortenedWaits ? 0 : Math.max(0, startedAt + timeoutMs - reservedMs - performance.now())
    },
    mustYield,
    hasShortenedWaits: () => hasShortenedWaits,
    occupy(slot) {
      occupied = slot
    },
    followDelays(next) {
      delayCause = next
    },
    stop() {
      clearTimeout(timer)
      clearInterval(yieldPoll)
      release()
      recordStage()
      return { ...timings, total: Math.round(performance.now() - startedAt) }
    },
  }
}

const unresponsiveError = (cause: Error | undefined) =>
  new PageError('ETIMEOUT', 'The page did not respond in time. Try again later.', { cause })

function timeoutError(stage: Stage, timeoutMs: number, cause: Error | undefined): PageError {
  const time = `${Math.round(timeoutMs / 100) / 10} seconds`
  switch (stage) {
    case 'queue':
      return new PageError('EBRWSRTIMEOUT', `The browser was busy with other pages for ${time}. Try again later.`, {
        retryAfterMs: timeoutMs,
      })
    case 'browser':
      return new PageError('EBRWSRTIMEOUT', `The browser could not open a page within ${time}. Try again later.`, {
        retryAfterMs: timeoutMs,
      })
    case 'navigate':
      return new PageError(
        'ETIMEOUT',
        `The page did not respond within ${time}. Try again later, or with a longer timeout.`,
        { cause },
      )
    default:
      return new PageError(
        'ETIMEOUT',
        `The page could not be rendered within ${time}. Try again, or capture a smaller part of it.`,
        { cause },
      )
  }
}
