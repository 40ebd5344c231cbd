import { setMaxListeners } from 'node:events'
import { isPageError, PageError } from '../../query/index.js'
import type { Turn, Turns } from '../budget/index.js'

/** Runs work once per key: concurrent callers share one run, with its result or its error. */
export interface SingleFlight<T> {
  /**
   * Joins the running work of the key, or starts it.
   *
   * @param work    Ignored when the call joins running work. Its signal aborts when every caller has left; `turns` has the
   *   turns of all callers, for the queues that the work waits in.
   * @param signal  Aborting it lets this caller leave with the signal's reason, while the others go on waiting. A caller
   *   without a signal never leaves.
   * @param turn    The turn of this caller. Default: it has none.
   */
  run(key: string, work: SharedWork<T>, options?: { signal?: AbortSignal; turn?: Turn }): Promise<T>
  /** Number of keys whose work is running. */
  readonly size: number
}

type SharedWork<T> = (signal: AbortSignal, turns: Turns) => Promise<T>

interface Flight<T> {
  result: Promise<T>
  callers: number
  turns: JoinedTurns
  leave(): void
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>()

  function start(key: string, work: SharedWork<T>): Flight<T> {
    const controller = new AbortController()
    const turns = createJoinedTurns()
    const remove = () => {
      if (flights.get(key) === flight) flights.delete(key)
    }
    const flight: Flight<T> = {
      result: (async () => work(controller.signal, turns))(),
      callers: 0,
      turns,
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
    async run(key, work, { signal, turn } = {}) {
      signal?.throwIfAborted()
      const flight = flights.get(key) ?? start(key, work)
      flight.callers++
      if (turn) flight.turns.add(turn)
      return signal ? resultUnlessAborted(flight, signal) : flight.result
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
  options: { signal: AbortSignal; turn: Turn },
): Promise<Result> {
  for (;;) {
    let hasStarted = false
    const startWork: SharedWork<Result> = (signal, turns) => {
      hasStarted = true
      return work(signal, turns)
    }
    try {
      return await flights.run(key, startWork, options)
    } catch (error) {
      if (hasStarted || !isPageError(error) || !isDueToStarter(error)) throw error
    }
  }
}

const isDueToStarter = ({ code }: PageError) => code === 'ERATE' || code === 'EBUSY'

interface JoinedTurns extends Turns {
  add(turn: Turn): void
}

function createJoinedTurns(): JoinedTurns {
  const turns = new Map<string, Turn>()
  const listeners = new Set<(turn: Turn) => void>()
  return {
    add(turn) {
      turns.set(`${turn.client} ${turn.hasPriority}`, turn)
      for (const onTurn of listeners) onTurn(turn)
    },
    follow(onTurn) {
      for (const turn of turns.values()) onTurn(turn)
      listeners.add(onTurn)
      return () => listeners.delete(onTurn)
    },
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
