const FIRST_PAUSE_MS = 300
const LONGEST_PAUSE_MS = 10_000
const LONGEST_ASKED_PAUSE_MS = 30_000

/**
 * How long to wait before a request is repeated: growing, with full jitter, never shorter than the service asks.
 *
 * @param attempt  0 after the first failure.
 * @returns        `undefined` when the service asks for more patience than a caller has.
 * @see            https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function pauseMs(attempt: number, askedMs = 0): number | undefined {
  if (askedMs > LONGEST_ASKED_PAUSE_MS) return undefined
  return askedMs + Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt)
}

/** Waits; ends early, without an error, when `signal` aborts. */
export function pause(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, durationMs)
    signal?.addEventListener('abort', finish)
    if (signal?.aborted) finish()
  })
}
