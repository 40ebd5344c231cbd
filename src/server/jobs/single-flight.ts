import { setMaxListeners } from 'node:events'
import { isPageError, PageError } from '../../query/index.js'
import { waiterName, type Waiter, type Waiters, type WaitersListener } from '../budget/index.js'

/** Runs work once per key: concurrent callers share one run, with its result or its error. */
export interface SingleFlight<T> {
  /**
   * Joins the running work of the key, or starts it.
   *
   * @param work    Ignored when the call joins running work. Its signal aborts when every caller has left; `waiters` are
   *   all callers that have one, for the queues that the work waits in.
   * @param signal  Aborting it lets this caller leave with the signal's reason, while the others go on waiting. A caller
   *   without a signal never leaves.
   * @param waiter  This caller in these queues. Default: the work does not wait on its behalf.
   */
  run(key: string, work: SharedWork<T>, options?: { signal?: AbortSignal; waiter?: Waiter }): Promise<T>
  /** Number of keys whose work is running. */
  readonly size: number
}

type SharedWork<T> = (signal: AbortSignal, waiters: Waiters) => Promise<T>

interface Flight<T> {
  result: Promise<T>
  callers: number
  waiters: JoinedWaiters
  leave(waiter: Waiter | undefined): void
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>()

  function start(key: string, work: SharedWork<T>): Flight<T> {
    const controller = new AbortController()
    const waiters = createJoinedWaiters()
    const remove = () => {
      if (flights.get(key) === flight) flights.delete(key)
    }
    const flight: Flight<T> = {
      result: (async () => work(controller.signal, waiters))(),
      callers: 0,
      waiters,
      leave(waiter) {
        if (waiter) waiters.remove(waiter)
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
    async run(key, work, { signal, waiter } = {}) {
      signal?.throwIfAborted()
      const flight = flights.get(key) ?? start(key, work)
      flight.callers++
      if (waiter) flight.waiters.add(waiter)
      return signal ? resultUnlessAborted(flight, { signal, waiter }) : flight.result
    },
    get size() {
      return flights.size
    },
  }
}

/**
 * Runs work once per key, at the cost of the caller that starts it. It may fail because of that caller alone: with `ERATE` for its
 * quota, or with `EBUSY` for what else it has running. A caller that had joined it then takes over, at its own cost.
 *
 * @param work  Consumes the quota of the caller; its signal aborts when every caller has left.
 */
export async function runOrTakeOver<Result>(
  flights: SingleFlight<Result>,
  key: string,
  work: SharedWork<Result>,
  options: { signal: AbortSignal; waiter: Waiter },
): Promise<Result> {
  for (;;) {
    let hasStarted = false
    const startWork: SharedWork<Result> = (signal, waiters) => {
      hasStarted = true
      return work(signal, waiters)
    }
    try {
      return await flights.run(key, startWork, options)
    } catch (error) {
      if (hasStarted || !isPageError(error) || !isDueToStarter(error)) throw error
    }
  }
}

const isDueToStarter = ({ code }: PageError) => code === 'ERATE' || code === 'EBUSY'

interface JoinedWaiters extends Waiters {
  add(waiter: Waiter): void
  remove(waiter: Waiter): void
}

function createJoinedWaiters(): JoinedWaiters {
  /** The callers with each name, who share its turns. */
  const waiters = new Map<string, { waiter: Waiter; callers: number }>()
  const listeners = new Set<WaitersListener>()
  return {
    add(waiter) {
      const callers = waiters.get(waiterName(waiter))?.callers ?? 0
      waiters.set(waiterName(waiter), { waiter, callers: callers + 1 })
      for (const listener of listeners) listener.onJoin(waiter)
    },
    remove(waiter) {
      const { callers } = waiters.get(waiterName(waiter))!
      if (callers > 1) {
        waiters.set(waiterName(waiter), { waiter, callers: callers - 1 })
        return
      }
      waiters.delete(waiterName(waiter))
      for (const listener of listeners) listener.onLeave(waiter)
    },
    follow(listener) {
      for (const { waiter } of waiters.values()) listener.onJoin(waiter)
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function resultUnlessAborted<T>(
  flight: Flight<T>,
  { signal, waiter }: { signal: AbortSignal; waiter: Waiter | undefined },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(signal.reason)
      flight.leave(waiter)
    }
    // Node warns of more than ten listeners, and callers may share a signal.
    setMaxListeners(0, signal)
    signal.addEventListener('abort', onAbort, { once: true })
    flight.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** Loads a value on first use and keeps it. A failure is not kept: the next call tries again. */
export function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined
  return async () => {
    const current = (loading ??= load())
    try {
      return await current
    } catch (error) {
      if (loading === current) loading = undefined
      throw error
    }
  }
}
