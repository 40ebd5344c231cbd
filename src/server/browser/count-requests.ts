import type { CDPSession } from 'puppeteer-core'
import type { CaptureBudget } from '../budget/index.js'

/**
 * Counts the requests of a page, a frame or a worker, including those within an HTTP/2 connection, of which the proxy sees only
 * the tunnel. Takes the session offline once the budget is used up, so that further requests cost the service nothing.
 */
export function countRequests(session: CDPSession, budget: CaptureBudget): void {
  const goOffline = () => {
    const conditions = { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 }
    // Fails only when the page or the worker is gone.
    session.send('Network.emulateNetworkConditions', conditions).catch(() => undefined)
    session.send('Fetch.disable').catch(() => undefined)
  }
  session.on('Network.requestWillBeSent', () => budget.countRequest('page'))
  budget.exhausted.addEventListener('abort', goOffline, { once: true })
  if (budget.exhausted.aborted) goOffline()
}
