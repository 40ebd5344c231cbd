/** Settles like `promise`, or rejects with the signal's reason as soon as it aborts; the work behind `promise` continues. */
export function abortable<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** Settles like `promise`, or rejects as soon as the time is up or the signal aborts; the work behind `promise` continues. */
export async function withinTime<Result>(
  promise: Promise<Result>,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<Result> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(new Error(`no response within ${timeoutMs / 1_000} seconds`)), timeoutMs)
  try {
    return await abortable(abortable(promise, timeout.signal), signal)
  } finally {
    clearTimeout(timer)
  }
}
