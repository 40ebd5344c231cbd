export interface WaitForConditionOptions {
  /** The condition is checked whenever these are called, in addition to a regular poll. */
  listeners: Set<() => void>
  /** Default: no limit. */
  timeoutMs?: number
  signal: AbortSignal
}

const POLL_MS = 10

/** Resolves to whether the condition became true within the time; an aborted `signal` rejects with its reason. */
export function waitForCondition(
  condition: () => boolean,
  { listeners, timeoutMs, signal }: WaitForConditionOptions,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const stop = () => {
      listeners.delete(check)
      clearInterval(poll)
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
    const finish = (isTrue: boolean) => {
      stop()
      resolve(isTrue)
    }
    const check = () => condition() && finish(true)
    const onAbort = () => {
      stop()
      reject(signal.reason)
    }
    const poll = setInterval(check, POLL_MS)
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => finish(condition()), timeoutMs)
    listeners.add(check)
    signal.addEventListener('abort', onAbort, { once: true })
    check()
  })
}
