const FIRST_DELAY_MS = 300
const MAX_DELAY_MS = 10_000
const MAX_RETRY_AFTER_MS = 30_000

/**
 * The delay before a request is repeated: exponential backoff with full jitter, never shorter than `retry-after`.
 *
 * @param attempt       0 after the first failure.
 * @param retryAfterMs  Requested by the service.
 * @returns             `undefined` when the service requires a longer delay than a caller should wait.
 * @see                 https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function retryDelayMs(attempt: number, retryAfterMs = 0): number | undefined {
  if (retryAfterMs > MAX_RETRY_AFTER_MS) return undefined
  return retryAfterMs + Math.random() * Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt)
}

/** Resolves after the delay, or earlier when `signal` aborts; never rejects. */
export function sleep(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, delayMs)
    signal?.addEventListener('abort', finish)
    if (signal?.aborted) finish()
  })
}
