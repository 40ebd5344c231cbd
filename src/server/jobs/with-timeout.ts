import { followSignals } from './follow-signals.js'

export interface TimeoutOptions {
  signal: AbortSignal
  timeoutMs: number
  /** Creates the abort reason once the time is up. */
  timeoutError: () => Error
}

/**
 * Runs `work` with a signal that aborts when the caller's signal does or when the time is up.
 *
 * @throws  The signal's reason if it was aborted, whatever error `work` made of it; otherwise the error of `work`.
 */
export async function withTimeout<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { signal, timeoutMs, timeoutError }: TimeoutOptions,
): Promise<Result> {
  signal.throwIfAborted()
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(timeoutError()), timeoutMs)
  // Not AbortSignal.any with AbortSignal.timeout: the garbage collector may remove the latter, which then never aborts.
  const { signal: either, release } = followSignals([signal, timeout.signal])
  try {
    return await work(either)
  } catch (error) {
    either.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
    release()
  }
}
