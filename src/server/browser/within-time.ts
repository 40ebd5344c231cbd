import { abortable } from './abortable.js'

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
