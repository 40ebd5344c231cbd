import { PageError } from '../../query/index.js'
import { createCounts } from './create-counts.js'

/**
 * The limits of one capture. Beyond the limits of the network, requests of the page fail, and the capture continues with what has
 * loaded. Beyond the other limits the page is closed, and the capture fails with `ETOOLARGE`.
 */
export const captureLimits = {
  /** The largest pages of the web send a few hundred. */
  requests: 1_000,
  /** Sent and received. */
  bytes: 200_000_000,
  /** Open at the same time. */
  connections: 64,
  /** Open at the same time to one host. */
  connectionsPerHost: 32,
  /** Frames of other sites, workers and popups, including ended ones. */
  targets: 500,
  /** Events that the browser reports to the service: requests, navigations, dialogs, and what frames and workers do. */
  events: 30_000,
  /** Memory that all processes of the browser use for the page. */
  memoryBytes: 1_000_000_000,
  /** Memory that each further page may use before the page that uses most is closed. */
  memoryBytesOfOthers: 300_000_000,
} as const

/** Where a request was counted: the proxy sees the requests of all frames and workers, the page also sees inside tunnels. */
export type RequestObserver = 'proxy' | 'page'

/** Where a frame, a worker or a popup was counted: most are reported by the browser, and as sessions of the page too. */
export type TargetObserver = 'browser' | 'session'

/** Counts what one capture uses. */
export interface CaptureBudget {
  /** Counts a request. @returns Whether it is within the budget. */
  countRequest(observer: RequestObserver): boolean
  countBytes(bytes: number): void
  /** Counts an open connection. @returns Ends it; `undefined` when it is beyond the budget. */
  openConnection(host: string): (() => void) | undefined
  /** Counts the page itself, a frame of another site, a worker or a popup. */
  countTarget(observer: TargetObserver): void
  /** Counts an event of DevTools. */
  countEvent(): void
  /** Aborts when no further request may be sent and no further byte transferred. */
  readonly exhausted: AbortSignal
  /** Aborts, with a `PageError`, when the page must be closed. */
  readonly exceeded: AbortSignal
}

const ADVICE = 'Request it without a screenshot, or with javascript=false.'

/** @param changes  Default: `captureLimits`. */
export function createCaptureBudget(
  changes: Partial<Record<Exclude<keyof typeof captureLimits, 'memoryBytes' | 'memoryBytesOfOthers'>, number>> = {},
): CaptureBudget {
  const limits = { ...captureLimits, ...changes }
  const exhausted = new AbortController()
  const exceeded = new AbortController()
  const requests = { proxy: 0, page: 0 }
  const targets = { browser: 0, session: 0 }
  const connections = createCounts()
  let bytes = 0
  let openConnections = 0
  let events = 0

  const close = (host: string) => {
    openConnections--
    connections.remove(host)
  }
  const exhaust = (reason: string) => {
    if (!exhausted.signal.aborted) exhausted.abort(new Error(reason))
  }
  const exceed = (reason: string) => {
    if (!exceeded.signal.aborted) exceeded.abort(new PageError('ETOOLARGE', `${reason} ${ADVICE}`))
  }
  return {
    countTarget(observer) {
      if (++targets[observer] > limits.targets)
        exceed(`The page started more than ${limits.targets} frames and workers.`)
    },
    countEvent() {
      if (++events > limits.events) exceed(`The page kept the browser busy with more than ${limits.events} events.`)
    },
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
    exceeded: exceeded.signal,
  }
}
