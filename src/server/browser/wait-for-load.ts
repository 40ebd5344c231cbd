import type { PageQuery } from '../../query/index.js'
import type { MainFrame } from './main-frame.js'
import type { OpenPage } from './open-page.js'
import { waitForQuiet } from './wait-for-quiet.js'

export interface WaitForLoadOptions {
  waitUntil: NonNullable<PageQuery['waitUntil']>
  remainingWaitMs: () => number
  signal: AbortSignal
}

const NETWORK_IDLE_MS = 500

/**
 * Waits until the page has reached `waitUntil`, across client-side redirects, or until the time to wait is up.
 *
 * @returns  Whether the page got that far. A navigation that fails ends the wait too.
 */
export async function waitForLoad(page: OpenPage, frame: MainFrame, options: WaitForLoadOptions): Promise<boolean> {
  const { waitUntil, remainingWaitMs, signal } = options
  const event = waitUntil === 'domcontentloaded' ? 'DOMContentLoaded' : 'load'
  const hasFailed = () => frame.failure() !== undefined
  const hasLoaded = () => !frame.isNavigating() && frame.hasFired(event)
  while (true) {
    const isInTime = await frame.waitUntil(() => hasFailed() || hasLoaded(), { remainingMs: remainingWaitMs, signal })
    if (!isInTime || hasFailed()) return isInTime
    const loaderId = frame.document()?.loaderId
    if (waitUntil === 'auto') await waitForQuiet(page, frame, options)
    if (waitUntil === 'networkidle' && !(await waitForNetworkIdle(frame, options))) return false
    const isSameDocument = frame.document()?.loaderId === loaderId
    if (hasFailed() || (hasLoaded() && isSameDocument)) return true
  }
}

function waitForNetworkIdle(frame: MainFrame, { remainingWaitMs, signal }: WaitForLoadOptions): Promise<boolean> {
  return frame.waitUntil(() => frame.isQuietFor(NETWORK_IDLE_MS), { remainingMs: remainingWaitMs, signal })
}
