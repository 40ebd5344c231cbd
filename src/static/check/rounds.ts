interface RoundOptions {
  /** From the start of a round to the start of the next. */
  intervalMs: number
  signal: AbortSignal
  /** Milliseconds since 1970. Default: the system's clock. */
  clock?: () => number
  /** Resolves after the delay, or earlier when the signal aborts. */
  wait?: (delayMs: number, signal: AbortSignal) => Promise<void>
}

/** Timers stand still while the machine sleeps, and last for 24 days at most. */
const MAX_WAIT_MS = 60_000

/**
 * Starts a round at each interval. One that takes longer is followed at once by the next, so that there is one at a time.
 *
 * @returns  When each round starts, milliseconds since 1970, until the signal aborts.
 */
export async function* startRounds({
  intervalMs,
  signal,
  clock = Date.now,
  wait = sleep,
}: RoundOptions): AsyncGenerator<number, void> {
  while (!signal.aborted) {
    const startedAt = clock()
    yield startedAt
    for (let leftMs; !signal.aborted && (leftMs = startedAt + intervalMs - clock()) > 0;)
      await wait(Math.min(leftMs, MAX_WAIT_MS), signal)
  }
}

function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, delayMs)
    signal.addEventListener('abort', finish)
  })
}
