import { isPageError } from '../../query/index.js'
import type { SingleFlight } from './single-flight.js'

/**
 * Joins what is being made for a key, or starts it. Making it costs whoever starts it one request of his day, so `make` may
 * end with `ERATE`: whoever joined somebody who had none left starts it himself.
 */
export async function runWithQuota<Result>(
  flights: SingleFlight<Result>,
  key: string,
  make: (flight: AbortSignal) => Promise<Result>,
  { signal }: { signal: AbortSignal },
): Promise<Result> {
  for (;;) {
    let isOwn = false
    const makeOwn = (flight: AbortSignal) => {
      isOwn = true
      return make(flight)
    }
    try {
      return await flights.run(key, makeOwn, { signal })
    } catch (error) {
      if (isOwn || !isPageError(error) || error.code !== 'ERATE') throw error
    }
  }
}
