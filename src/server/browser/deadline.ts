import { PageError } from '../../query/index.js'
import type { Slot } from '../budget/index.js'
import { followSignals } from '../jobs/index.js'
import type { ExtractionScope } from '../request-scope.js'

/** The stages of a visit, in order; the names appear in `server-timing`. */
type Stage = 'queue' | 'browser' | 'navigate' | 'wait' | 'screenshot' | 'encode'

/** How long a visit and its waits may take, and where its time went. */
export interface Deadline {
  /**
   * Aborts with the caller's own reason; with a `PageError` that fits the stage when time is up, or when the visit has to yield and
   * the page does not let it: a page whose scripts run without end responds to nothing.
   */
  readonly signal: AbortSignal
  enterStage(stage: Stage): void
  /** Milliseconds until the time is up. */
  remainingMs: () => number
  /**
   * Limits a wait for the page, and is called again while it goes on: how long it may take at most, milliseconds. The rest of the
   * time is reserved for the screenshot. 0 once the visit yields, which shortens the wait.
   */
  limitWait: () => number
  /** Whether the time for waits is used up, or one was shortened. */
  isCutShort(): boolean
  /** Whether the visit had to end its waits: it has had its time, and another client wanted the slot. */
  hasYielded(): boolean
  /** Whether a wait for the page was shortened for that; another time the page may show more. */
  hasShortenedWaits(): boolean
  /** The slot that the visit has got. */
  occupy(slot: Slot): void
  /** @param describe  What the browser sees of a page that takes too long; `undefined`: nothing. */
  followPage(describe: () => PageSighting | undefined): void
  /** @param delayCause  Returns what else, besides the page, may delay the response; if time runs out, this is the cause of the error. */
  followDelays(delayCause: () => Error | undefined): void
  /** Milliseconds per stage so far, and in `total`. */
  timings(): Record<string, number>
  /** Stops the timers, and no longer follows the signals. */
  stop(): void
}

/** Why a page takes too long. */
export interface PageSighting {
  /** A clause to which the time can be added: `The page did not respond`. */
  problem: string
  /** The rest of the sentence; `''` if there is none. */
  circumstances: string
  /** Whether scripts of the page may be the reason. */
  mayBeScripts: boolean
}

/** The part of the time that is reserved for the screenshot, with an upper limit. */
const SCREENSHOT_SHARE = 0.3
const MAX_SCREENSHOT_MS = 3_000
const MAX_FULL_PAGE_MS = 8_000
/** Enough to load most pages and for a `waitForTimeout` of 3 seconds. */
const MIN_VISIT_MS = 8_000
/** Time for the remaining steps when a visit yields before the screenshot; a page that responds needs a tenth of it. */
const MAX_LAST_STEPS_MS = 2_000
const YIELD_POLL_MS = 100

export function startDeadline(
  { signal: callerSignal, timeoutMs, query }: ExtractionScope,
  closing: AbortSignal,
): Deadline {
  const isFullPage = typeof query.screenshot === 'object' && query.screenshot.fullPage === true
  const reservedMs = Math.min(timeoutMs * SCREENSHOT_SHARE, isFullPage ? MAX_FULL_PAGE_MS : MAX_SCREENSHOT_MS)
  const stopwatch = startStopwatch()
  const yieldPolicy = createYieldPolicy(stopwatch, reservedMs)
  let delayCause = (): Error | undefined => undefined
  let describePage = (): PageSighting | undefined => undefined
  let hasShortenedWaits = false
  const remainingWaitMs = () => (hasShortenedWaits ? 0 : Math.max(0, timeoutMs - reservedMs - stopwatch.totalMs()))

  const timeout = new AbortController()
  const onTimeout = () => {
    const error = timeoutError(stopwatch.stage(), { timeoutMs, sighting: describePage() ?? NOTHING_SEEN, isFullPage })
    error.cause = delayCause()
    timeout.abort(error)
  }
  const timer = setTimeout(onTimeout, timeoutMs)
  const yieldPoll = setInterval(() => {
    if (yieldPolicy.isUsedUp()) timeout.abort(unresponsiveError(describePage() ?? NOTHING_SEEN, delayCause()))
  }, YIELD_POLL_MS)
  const { signal, release } = followSignals([callerSignal, closing, timeout.signal])
  return {
    signal,
    enterStage(stage) {
      yieldPolicy.leaveStage()
      stopwatch.enterStage(stage)
      if (stage === 'navigate') yieldPolicy.navigate()
    },
    remainingMs: () => Math.max(0, timeoutMs - stopwatch.totalMs()),
    limitWait() {
      hasShortenedWaits ||= yieldPolicy.mustYield()
      return remainingWaitMs()
    },
    isCutShort: () => remainingWaitMs() === 0,
    hasYielded: yieldPolicy.hasYielded,
    hasShortenedWaits: () => hasShortenedWaits,
    occupy: (slot) => yieldPolicy.occupy(slot),
    followPage(describe) {
      describePage = describe
    },
    followDelays(next) {
      delayCause = next
    },
    timings: stopwatch.timings,
    stop() {
      clearTimeout(timer)
      clearInterval(yieldPoll)
      release()
    },
  }
}

type Stopwatch = ReturnType<typeof startStopwatch>

/** Records how long each stage of a visit takes. */
function startStopwatch() {
  const startedAt = performance.now()
  const stageMs: Partial<Record<Stage, number>> = {}
  let stage: Stage = 'queue'
  let stageStartedAt = startedAt
  const totalMs = () => performance.now() - startedAt
  /** Milliseconds in the current stage, all times together that the visit was in it. */
  const currentStageMs = () => Math.round((stageMs[stage] ?? 0) + performance.now() - stageStartedAt)
  return {
    totalMs,
    stage: () => stage,
    stageStartedAt: () => stageStartedAt,
    enterStage(next: Stage) {
      stageMs[stage] = currentStageMs()
      stage = next
      stageStartedAt = performance.now()
    },
    timings: () => ({ ...stageMs, [stage]: currentStageMs(), total: Math.round(totalMs()) }),
  }
}

/** Decides when a visit has to make room for others, and how much time the page still has from then on. */
function createYieldPolicy({ stage, stageStartedAt }: Stopwatch, reservedMs: number) {
  let occupied: Slot | undefined
  let navigatedAt = Infinity
  let yieldedAt = Infinity
  /** Milliseconds that the page may use in each stage after `yieldedAt`. The other stages do not wait for the page. */
  const leftMs: Partial<Record<Stage, number>> = { navigate: 0, wait: MAX_LAST_STEPS_MS, screenshot: reservedMs }

  const usedSinceYieldMs = () => Math.max(0, performance.now() - Math.max(stageStartedAt(), yieldedAt))
  const hasYielded = () => yieldedAt < Infinity
  const mustYield = () => {
    const now = performance.now()
    const hasHadItsTime = now - navigatedAt >= MIN_VISIT_MS
    if (!hasYielded() && hasHadItsTime && occupied?.isContended()) yieldedAt = now
    return hasYielded()
  }
  return {
    hasYielded,
    /** Whether the visit has to yield. Once true, it stays true. */
    mustYield,
    /** Whether the visit must yield, and the page has used up the time that it still had in the current stage. */
    isUsedUp: () => mustYield() && usedSinceYieldMs() >= (leftMs[stage()] ?? Infinity),
    occupy(slot: Slot) {
      occupied = slot
    },
    navigate() {
      navigatedAt = performance.now()
    },
    /** Subtracts what the page has used of its time in the current stage, which may be entered again. */
    leaveStage() {
      const left = leftMs[stage()]
      if (left !== undefined) leftMs[stage()] = left - usedSinceYieldMs()
    },
  }
}

const NOTHING_SEEN: PageSighting = { problem: 'The page did not respond', circumstances: '', mayBeScripts: false }

const unresponsiveError = ({ problem, circumstances, mayBeScripts }: PageSighting, cause: Error | undefined) =>
  new PageError('ETIMEOUT', `${problem}${circumstances}. ${adviceFor(mayBeScripts)}`, { cause })

const adviceFor = (mayBeScripts: boolean) =>
  mayBeScripts ? 'Its scripts may be the reason: try again later, or with javascript=false.' : 'Try again later.'

function timeoutError(
  stage: Stage,
  { timeoutMs, sighting, isFullPage }: { timeoutMs: number; sighting: PageSighting; isFullPage: boolean },
): PageError {
  const time = `${Math.round(timeoutMs / 100) / 10} seconds`
  const { problem, circumstances, mayBeScripts } = sighting
  const advice = isFullPage ? 'Try again later, or capture a part of the page.' : 'Try again later.'
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
        `${problem} within ${time}${circumstances}. Try again later, or with a longer timeout.`,
      )
    case 'wait':
      return new PageError('ETIMEOUT', `${problem} within ${time}${circumstances}. ${adviceFor(mayBeScripts)}`)
    case 'screenshot':
      return new PageError('ETIMEOUT', `The browser had not drawn the page within ${time}. ${advice}`)
    default:
      return new PageError('ETIMEOUT', `The screenshot was taken, but not encoded within ${time}. ${advice}`)
  }
}
