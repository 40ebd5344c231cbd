import { PageError } from '../../query/index.js'

export type Stage = 'queue' | 'browser' | 'navigate' | 'settle' | 'picture' | 'encode'

/** How much time a capture has, and where it went. */
export interface CaptureClock {
  /** Aborts with the caller's own reason, or at the deadline with a `PageError` that fits the stage. */
  readonly signal: AbortSignal
  enter(stage: Stage): void
  /** How long the page may still be waited for; what comes after is kept for the picture. */
  patienceMs: () => number
  /** Ends the deadline. @returns Milliseconds per stage, and in `total`. */
  stop(): Record<string, number>
}

export interface CaptureClockOptions {
  /** Of the caller. */
  signal: AbortSignal
  deadlineMs: number
  /** Whole pages take longer to draw. */
  isFullPage: boolean
}

const MAX_PICTURE_MS = 3_000
const MAX_FULL_PAGE_MS = 8_000

export function startCaptureClock({ signal, deadlineMs, isFullPage }: CaptureClockOptions): CaptureClock {
  const startedAt = performance.now()
  const forPictureMs = Math.min(deadlineMs * 0.3, isFullPage ? MAX_FULL_PAGE_MS : MAX_PICTURE_MS)
  const timings: Record<string, number> = {}
  let stage: Stage = 'queue'
  let since = startedAt

  const account = () => {
    const now = performance.now()
    timings[stage] = Math.round((timings[stage] ?? 0) + now - since)
    since = now
  }
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(tooLate(stage, deadlineMs)), deadlineMs)
  return {
    signal: AbortSignal.any([signal, deadline.signal]),
    enter(next) {
      account()
      stage = next
    },
    patienceMs: () => Math.max(0, startedAt + deadlineMs - forPictureMs - performance.now()),
    stop() {
      clearTimeout(timer)
      account()
      return { ...timings, total: Math.round(performance.now() - startedAt) }
    },
  }
}

function tooLate(stage: Stage, deadlineMs: number): PageError {
  const time = `${Math.round(deadlineMs / 100) / 10} seconds`
  switch (stage) {
    case 'queue':
      return new PageError('EBRWSRTIMEOUT', `The browser had no time for this page within ${time}. Try again later.`)
    case 'browser':
      return new PageError('EBRWSRTIMEOUT', `The browser was not ready within ${time}. Try again later.`)
    case 'navigate':
      return new PageError('ETIMEOUT', `The page did not answer within ${time}. Try again later, or give it more time.`)
    default:
      return new PageError('ETIMEOUT', `The page kept the browser busy for ${time}. Try again, or ask for less of it.`)
  }
}
