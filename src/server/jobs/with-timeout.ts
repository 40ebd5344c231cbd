import { setMaxListeners } from 'node:events'

/**
 * Runs `work` with a signal that aborts when the caller's signal does or when the time is up.
 *
 * @param timeoutError  Creates the abort reason once the time is up.
 * @throws  The signal's reason if it was aborted, even if `work` threw another error; otherwise the error of `work`.
 */
export async function withTimeout<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { signal, timeoutMs, timeoutError }: { signal: AbortSignal; timeoutMs: number; timeoutError: () => Error },
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

/**
 * Combines signals as `AbortSignal.any` does, until `release` is called. For signals that live much longer than the work: `any`
 * leaves a weak reference in each signal for as long as it lives.
 *
 * @returns  `release`: makes the combined signal independent of the others.
 */
export function followSignals(signals: readonly AbortSignal[]): { signal: AbortSignal; release: () => void } {
  const combined = new AbortController()
  const follow = (source: AbortSignal) => {
    const onAbort = () => combined.abort(source.reason)
    if (source.aborted) onAbort()
    // Node warns of more than ten listeners, and there is one for each capture that runs or waits.
    setMaxListeners(0, source)
    source.addEventListener('abort', onAbort)
    return () => source.removeEventListener('abort', onAbort)
  }
  const unfollow = signals.map(follow)
  const release = () => {
    for (const each of unfollow) each()
  }
  return { signal: combined.signal, release }
}
