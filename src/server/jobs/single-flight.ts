import { setMaxListeners } from 'node:events'
import { isPageError, PageError } from '../../query/index.js'

/** Runs work once per key: concurrent callers share one run, with its result or its error. */
export interface SingleFlight<T> {
  /**
   * Joins the running work of the key, or starts it.
   *
   * @param work    Ignored when the call joins running work. Its signal aborts when every caller has left.
   * @param signal  Aborting it lets this caller leave with the signal's reason, while the others go on waiting. A caller
   *   without a signal never leaves.
   */
  run(key: string, work: (signal: AbortSignal) => Promise<T>, options?: { signal?: AbortSignal }): Promise<T>
  /** Number of keys whose work is running. */
  readonly size: number
}

interface Flight<T> {
  result: Promise<T>
  callers: number
  leave(): void
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>()

  function start(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController()
    const remove = () => {
      if (flights.get(key) === flight) flights.delete(key)
    }
    const flight: Flight<T> = {
      result: (async () => work(controller.signal))(),
      callers: 0,
      leave() {
        if (--flight.callers > 0) return
        // Removed before it has settled, so that a new caller does not join aborted work.
        remove()
        controller.abort(new PageError('EABORTED', 'Every caller has left.'))
      },
    }
    flights.set(key, flight)
    // Both handlers, because the rejection of abandoned work must not be unhandled.
    flight.result.then(remove, remove)
    return flight
  }

  return {
    async run(key, work, { signal } = {}) {
      signal?.throwIfAborted()
      const flight = flights.get(key) ?? start(key, work)
      flight.callers++
      return signal ? resultUnlessAborted(flight, signal) : flight.result
    },
    get size() {
      return flights.size
    },
  }
}

/**
 * Runs quota-limited work once per key. The caller that starts it consumes its own quota, so the work may fail with `ERATE`
 * because of that caller alone; callers that had joined it then start it themselves, with their own quota.
 *
 * @param work  Consumes the quota of the caller; its signal aborts when every caller has left.
 */
export async function runWithQuota<Result>(
  flights: SingleFlight<Result>,
  key: string,
  work: (signal: AbortSignal) => Promise<Result>,
  { signal }: { signal: AbortSignal },
): Promise<Result> {
  for (;;) {
    let hasStarted = false
    const startWork = (flightSignal: AbortSignal) => {
      hasStarted = true
      return work(flightSignal)
    }
    try {
      return await flights.run(key, startWork, { signal })
    } catch (error) {
      if (hasStarted || !isPageError(error) || error.code !== 'ERATE') throw error
    }
  }
}

function resultUnlessAborted<T>(flight: Flight<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(signal.reason)
      flight.leave()
    }
    // Node warns of more than ten listeners, and callers may share a signal.
    setMaxListeners(0, signal)
    signal.addEventListener('abort', onAbort, { once: true })
    flight.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
