import type { CDPSession } from 'puppeteer-core'

/** Which requests of a page are in flight, and how long none has been. */
export interface NetworkActivity {
  isQuietFor(ms: number): boolean
  restartQuietPeriod(): void
}

/** Requests that never finish, or that do not change what the page shows. */
const IGNORED_TYPES = new Set(['EventSource', 'WebSocket', 'Media', 'Ping', 'Preflight', 'Prefetch'])

export function trackNetworkActivity(session: CDPSession): NetworkActivity {
  const inFlight = new Set<string>()
  let quietSince = performance.now()

  const restartQuietPeriod = () => {
    quietSince = performance.now()
  }
  const finish = ({ requestId }: { requestId: string }) => {
    if (inFlight.delete(requestId)) restartQuietPeriod()
  }
  session.on('Network.requestWillBeSent', ({ requestId, type = '', request }) => {
    if (!IGNORED_TYPES.has(type) && !/^(data|blob):/.test(request.url)) inFlight.add(requestId)
    restartQuietPeriod()
  })
  session.on('Network.loadingFinished', finish)
  session.on('Network.loadingFailed', finish)

  return {
    isQuietFor: (ms) => inFlight.size === 0 && performance.now() - quietSince >= ms,
    restartQuietPeriod,
  }
}
