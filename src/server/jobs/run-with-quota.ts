import { isPageError } from '../../query/index.js'
import type { SingleFlight } from './single-flight.js'

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
