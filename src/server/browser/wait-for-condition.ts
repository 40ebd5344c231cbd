export interface WaitForConditionOptions {
  /** The condition is checked whenever these are called, in addition to a regular poll. */
  listeners: Set<() => void>
  /** Milliseconds until the wait ends; may shrink in the meantime. Default: no limit. */
  remainingMs?: () => number
  signal: AbortSignal
}

const POLL_MS = 10

/** Counts down from `ms`, and is never more than `remainingMs`. */
export function atMost(ms: number, remainingMs: () => number): () => number {
  const endsAt = performance.now() + ms
  return () => Math.min(endsAt - performance.now(), remainingMs())
}

/** Resolves to whether the condition became true within the time; an aborted `signal` rejects with its reason. */
export function waitForCondition(
  condition: () => boolean,
  { listeners, remainingMs = () => Infinity, signal }: WaitForConditionOptions,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const stop = () => {
      listeners.delete(check)
      clearInterval(poll)
      signal.removeEventListener('abort', onAbort)
    }
    const finish = (isTrue: boolean) => {
      stop()
      resolve(isTrue)
    }
    const check = () => {
      if (condition()) finish(true)
      else if (remainingMs() <= 0) finish(false)
    }
    const onAbort = () => {
      stop()
      reject(signal.reason)
    }
    const poll = setInterval(check, POLL_MS)
    listeners.add(check)
    signal.addEventListener('abort', onAbort, { once: true })
    check()
  })
}
