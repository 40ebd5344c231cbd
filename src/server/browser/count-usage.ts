import type { CDPSession } from 'puppeteer-core'
import type { CaptureBudget } from '../budget/index.js'
import type { SessionSetups } from './session-setups.js'

const OFFLINE = { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 }

/**
 * Counts a page, its frames and its workers: their sessions, the events of these, and their requests, including those within an
 * HTTP/2 connection, of which the proxy sees only the tunnel. Takes all of them offline once the requests are used up, so that
 * further ones cost the service nothing.
 */
export async function countUsage(setups: SessionSetups, budget: CaptureBudget): Promise<void> {
  // One listener for all: a page may start any number of workers, and Node warns of more than ten listeners.
  budget.exhausted.addEventListener('abort', () => void setups.add(goOffline), { once: true })
  await setups.add(async (session) => {
    budget.countTarget()
    session.on('*', () => budget.countEvent())
    session.on('Network.requestWillBeSent', () => budget.countRequest('page'))
  })
  if (budget.exhausted.aborted) await setups.add(goOffline)
}

async function goOffline(session: CDPSession): Promise<void> {
  // Both fail only when the page, the frame or the worker is gone.
  session.send('Network.emulateNetworkConditions', OFFLINE).catch(() => undefined)
  session.send('Fetch.disable').catch(() => undefined)
}
