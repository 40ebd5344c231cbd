import type { CDPSession } from 'puppeteer-core'
import type { CaptureBudget } from '../budget/index.js'

/** What sends requests that the session of its page does not report. */
const REPORTED_APART = ['iframe', 'worker', 'shared_worker', 'service_worker']

/**
 * Counts the requests of a page, its frames and workers, also those inside of an HTTP/2 connection, of which the proxy sees
 * only the tunnel. Once the budget is used up, all of them are offline, so that further requests cost the service nothing.
 */
export async function countRequests(session: CDPSession, budget: CaptureBudget): Promise<void> {
  const goOffline = () => {
    const conditions = { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 }
    // Fails only when the page or the worker is gone.
    session.send('Network.emulateNetworkConditions', conditions).catch(() => undefined)
    session.send('Fetch.disable').catch(() => undefined)
  }
  session.on('Network.requestWillBeSent', () => budget.countRequest('page'))
  session.on('sessionattached', (child) => void countRequests(child, budget).catch(() => undefined))
  budget.exhausted.addEventListener('abort', goOffline, { once: true })
  await Promise.all([
    // Response bodies are never read here, so the browser need not buffer them.
    session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
    session.send('Target.setAutoAttach', {
      autoAttach: true,
      // A worker could send thousands of requests before its first one is counted.
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: REPORTED_APART.map((type) => ({ type })),
    }),
    session.send('Runtime.runIfWaitingForDebugger'),
  ])
  if (budget.exhausted.aborted) goOffline()
}
