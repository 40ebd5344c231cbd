import { setMaxListeners } from 'node:events'

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
