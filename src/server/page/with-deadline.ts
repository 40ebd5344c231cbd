/**
 * Runs `work` with a signal that aborts with the caller's, or when the time is over; either way the result rejects with the
 * signal's own reason, whatever the work made of it.
 *
 * @param late  Makes the reason for being late.
 */
export async function withDeadline<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { signal, ms, late }: { signal: AbortSignal; ms: number; late: () => Error },
): Promise<Result> {
  signal.throwIfAborted()
  const stop = new AbortController()
  const onAbort = () => stop.abort(signal.reason)
  const timer = setTimeout(() => stop.abort(late()), ms)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await work(stop.signal)
  } catch (error) {
    stop.signal.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
