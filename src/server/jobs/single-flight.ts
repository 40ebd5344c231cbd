import { PageError } from '../../query/index.js'

/** Work by key: however many ask for the same at the same time, it is done once, and all get its result or its error. */
export interface SingleFlight<T> {
  /**
   * Joins what is being made for the key, or starts it.
   *
   * @param make    Its signal aborts when every caller has gone. Only the first caller's is called.
   * @param signal  This caller's own: it rejects with the signal's reason while the others wait on. Without one the caller stays.
   */
  run(key: string, make: (signal: AbortSignal) => Promise<T>, options?: { signal?: AbortSignal }): Promise<T>
  /** Whether something is being made for the key that a caller could join. */
  has(key: string): boolean
  /** How many keys are being worked on. */
  readonly size: number
}

interface Flight<T> {
  result: Promise<T>
  callers: number
  leave(): void
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>()

  function start(key: string, make: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const everybodyGone = new AbortController()
    const forget = () => {
      if (flights.get(key) === flight) flights.delete(key)
    }
    const flight: Flight<T> = {
      result: (async () => make(everybodyGone.signal))(),
      callers: 0,
      leave() {
        if (--flight.callers > 0) return
        // At once, so that whoever comes now starts afresh and does not join what is being given up.
        forget()
        everybodyGone.abort(new PageError('EABORTED', 'Nobody waits for this any more.'))
      },
    }
    flights.set(key, flight)
    // Also hears the error that nobody waits for any more.
    flight.result.then(forget, forget)
    return flight
  }

  return {
    async run(key, make, { signal } = {}) {
      signal?.throwIfAborted()
      const flight = flights.get(key) ?? start(key, make)
      flight.callers++
      return signal ? unlessAborted(flight, signal) : flight.result
    },
    has: (key) => flights.has(key),
    get size() {
      return flights.size
    },
  }
}

function unlessAborted<T>(flight: Flight<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const goAway = () => {
      reject(signal.reason)
      flight.leave()
    }
    signal.addEventListener('abort', goAway, { once: true })
    flight.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', goAway))
  })
}
