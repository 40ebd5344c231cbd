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
  const controller = new AbortController()
  const onAbort = () => controller.abort(signal.reason)
  const timer = setTimeout(() => controller.abort(timeoutError()), timeoutMs)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await work(controller.signal)
  } catch (error) {
    controller.signal.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
