import { createCounts } from './create-counts.js'

/** The limits of one capture. Beyond them, requests of the page fail, and the capture continues with what has loaded. */
export const captureLimits = {
  /** The largest pages of the web send a few hundred. */
  requests: 1_000,
  /** Sent and received. */
  bytes: 200_000_000,
  /** Open at the same time. */
  connections: 64,
  /** Open at the same time to one host. */
  connectionsPerHost: 32,
  /** Memory of one process of the page; the capture of a page beyond it ends with `ETOOLARGE`. */
  memoryBytes: 1_000_000_000,
} as const

/** Where a request was counted: the proxy sees those of all frames and workers, the page also those inside a tunnel. */
export type RequestObserver = 'proxy' | 'page'

/** Counts what one capture uses. */
export interface CaptureBudget {
  /** Counts a request. @returns Whether it is within the budget. */
  countRequest(observer: RequestObserver): boolean
  countBytes(bytes: number): void
  /** Counts an open connection. @returns Ends it; `undefined` when it is beyond the budget. */
  openConnection(host: string): (() => void) | undefined
  /** Aborts when no further request may be sent and no further byte transferred. */
  readonly exhausted: AbortSignal
}

type CaptureLimits = Omit<{ [Name in keyof typeof captureLimits]: number }, 'memoryBytes'>

export function createCaptureBudget(limits: CaptureLimits = captureLimits): CaptureBudget {
  const exhausted = new AbortController()
  const requests = { proxy: 0, page: 0 }
  const connections = createCounts()
  let bytes = 0
  let openConnections = 0

  const close = (host: string) => {
    openConnections--
    connections.remove(host)
  }
  const exhaust = (reason: string) => {
    if (!exhausted.signal.aborted) exhausted.abort(new Error(reason))
  }
  return {
    countRequest(observer) {
      if (++requests[observer] > limits.requests) exhaust('The capture sent too many requests.')
      return !exhausted.signal.aborted
    },
    countBytes(count) {
      bytes += count
      if (bytes > limits.bytes) exhaust('The capture transferred too many bytes.')
    },
    openConnection(host) {
      if (openConnections >= limits.connections || connections.count(host) >= limits.connectionsPerHost)
        return undefined
      openConnections++
      connections.add(host)
      return () => close(host)
    },
    exhausted: exhausted.signal,
  }
}
