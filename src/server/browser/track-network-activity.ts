import type { CDPSession } from 'puppeteer-core'
import type { SessionSetups } from './session-setups.js'

/** Which requests of a page, its frames and its workers are in flight, and how long none has been. */
export interface NetworkActivity {
  isQuietFor(ms: number): boolean
  restartQuietPeriod(): void
}

/** Requests that never finish, or that do not change what the page shows. */
const IGNORED_TYPES = new Set(['EventSource', 'WebSocket', 'Media', 'Ping', 'Preflight', 'Prefetch'])

export function trackNetworkActivity(setups: SessionSetups): NetworkActivity {
  const inFlight = new Map<string, CDPSession>()
  let quietSince = performance.now()

  const restartQuietPeriod = () => {
    quietSince = performance.now()
  }
  const finish = ({ requestId }: { requestId: string }) => {
    if (inFlight.delete(requestId)) restartQuietPeriod()
  }
  // The page reports that the script of a worker is requested, and the worker that it has arrived.
  const trackSession = async (session: CDPSession) => {
    session.on('Network.requestWillBeSent', ({ requestId, type = '', request }) => {
      if (!IGNORED_TYPES.has(type) && !/^(data|blob):/.test(request.url)) inFlight.set(requestId, session)
      restartQuietPeriod()
    })
    session.on('Network.loadingFinished', finish)
    session.on('Network.loadingFailed', finish)
    session.on('sessiondetached', (child) => {
      for (const [requestId, owner] of inFlight) if (owner === child) inFlight.delete(requestId)
    })
  }
  void setups.add(trackSession)

  return {
    isQuietFor: (ms) => inFlight.size === 0 && performance.now() - quietSince >= ms,
    restartQuietPeriod,
  }
}
