import { setTimeout as sleep } from 'node:timers/promises'
import type { PageQuery } from '../../query/index.js'
import { readActivity, scrollPosition, waitForFonts } from './in-page/page-scripts.js'
import { atMost } from './main-frame.js'
import { runInPage } from './run-in-page.js'
import type { Visit } from './visit.js'

const NETWORK_IDLE_MS = 500
/** How long a page without requests is waited for, unless it has nothing to run. */
const DEFAULT_QUIET_MS = 40
/** Some pages never stop sending requests. */
const MAX_QUIET_WAIT_MS = 3_000

const SCROLL_POLL_MS = 50
/** Chromium searches the text of a fragment again half a second after the page has loaded, and only then gives up. */
const SEARCH_MS = 800
/** Longest wait for a page that scrolls smoothly. */
const MAX_SCROLL_MS = 2_000

/**
 * Waits until the page has reached `waitUntil`, across client-side redirects, or until the time to wait is up.
 *
 * @returns  Whether the page got that far. A navigation that fails ends the wait too.
 */
export async function waitForLoad(
  visit: Visit,
  waitUntil: NonNullable<PageQuery['waitUntil']>,
  remainingWaitMs: () => number = visit.deadline.remainingWaitMs,
): Promise<boolean> {
  const { frame } = visit
  const event = waitUntil === 'domcontentloaded' ? 'DOMContentLoaded' : 'load'
  const hasFailed = () => frame.failure() !== undefined
  const hasLoaded = () => !frame.isNavigating() && frame.hasFired(event)
  const isIdle = () => frame.isQuietFor(NETWORK_IDLE_MS)
  while (true) {
    const isInTime = await frame.waitUntil(() => hasFailed() || hasLoaded(), remainingWaitMs)
    if (!isInTime || hasFailed()) return isInTime
    const loaderId = frame.document()?.loaderId
    if (waitUntil === 'auto') await waitForQuiet(visit)
    if (waitUntil === 'networkidle' && !(await frame.waitUntil(isIdle, remainingWaitMs))) return false
    const isSameDocument = frame.document()?.loaderId === loaderId
    if (hasFailed() || (hasLoaded() && isSameDocument)) return true
  }
}

/**
 * Waits until fonts have loaded and no requests are in flight, or another document is on its way.
 *
 * @param quietMs  Milliseconds without requests. Default: 0 for a page that has nothing to run, 40 for any other.
 */
export async function waitForQuiet(visit: Visit, quietMs?: number): Promise<void> {
  const { page, frame, deadline, signal } = visit
  const loaderId = frame.document()?.loaderId
  const isReplaced = () =>
    frame.isNavigating() || frame.document()?.loaderId !== loaderId || frame.failure() !== undefined
  const remainingMs = () => atMost(MAX_QUIET_WAIT_MS, deadline.remainingWaitMs)
  try {
    const { hasPendingFonts, isStatic } = await runInPage(page, readActivity)
    if (hasPendingFonts) await waitUntilFontsLoad(visit, isReplaced, remainingMs())
    const neededMs = quietMs ?? (isStatic ? 0 : DEFAULT_QUIET_MS)
    await frame.waitUntil(() => isReplaced() || frame.isQuietFor(neededMs), remainingMs())
  } catch (error) {
    if (signal.aborted || !isReplaced()) throw error
  }
}

async function waitUntilFontsLoad(
  { page, frame }: Visit,
  isReplaced: () => boolean,
  remainingMs: () => number,
): Promise<void> {
  let areReady = false
  const ready = runInPage(page, waitForFonts).then(
    () => (areReady = true),
    // Fails only when the document is replaced, which the condition below notices.
    () => (areReady = isReplaced()),
  )
  await frame.waitUntil(() => areReady || isReplaced(), remainingMs)
  if (isReplaced()) await ready
}

/** Waits until Chromium has scrolled to what the hash of the URL names: an element, or `:~:text=…`. */
export async function waitForScroll({ page, frame, deadline, signal }: Visit): Promise<void> {
  const { hash } = new URL(frame.document()!.url)
  if (!hash) return
  const searchEndsAt = performance.now() + (hash.includes(':~:') ? SEARCH_MS : 0)
  const endsAt = performance.now() + MAX_SCROLL_MS
  let previous: { left: number; top: number } | undefined
  while (performance.now() < endsAt && deadline.remainingWaitMs() > 0) {
    const position = await runInPage(page, scrollPosition)
    const isAtStart = position.left === 0 && position.top === 0
    const isSearching = isAtStart && performance.now() < searchEndsAt
    const hasStopped = position.left === previous?.left && position.top === previous.top
    if (hasStopped && !isSearching) return
    previous = position
    await sleep(SCROLL_POLL_MS, undefined, { signal })
  }
}
