import type { MainFrame } from './main-frame.js'
import type { OpenPage } from './open-page.js'
import { runInPage } from './run-in-page.js'
import { atMost } from './wait-for-condition.js'

export interface WaitForQuietOptions {
  remainingWaitMs: () => number
  signal: AbortSignal
  /** Milliseconds without requests. Default: 0 for a page that has nothing to run, 40 for any other. */
  quietMs?: number
}

const DEFAULT_QUIET_MS = 40
/** Some pages never stop sending requests. */
const MAX_WAIT_MS = 3_000

/** Scripts of a JSON type, such as JSON-LD, are data and never run. */
const READ_ACTIVITY = `() => ({
  hasPendingFonts: document.fonts.status === 'loading',
  isStatic: !document.querySelector('script:not([type*=json i]), iframe, object, meta[http-equiv="refresh" i]'),
})`
const FONTS_READY = `() => document.fonts.ready.then(() => true)`

/** Waits until fonts have loaded and no requests are in flight, or another document is on its way. */
export async function waitForQuiet(
  page: OpenPage,
  frame: MainFrame,
  { remainingWaitMs, signal, quietMs }: WaitForQuietOptions,
): Promise<void> {
  const loaderId = frame.document()?.loaderId
  const isReplaced = () =>
    frame.isNavigating() || frame.document()?.loaderId !== loaderId || frame.failure() !== undefined
  const limits = () => ({ remainingMs: atMost(MAX_WAIT_MS, remainingWaitMs), signal })
  try {
    const { hasPendingFonts, isStatic } = await runInPage<{ hasPendingFonts: boolean; isStatic: boolean }>(
      page,
      READ_ACTIVITY,
    )
    if (hasPendingFonts) await waitForFonts(page, frame, { isReplaced, ...limits() })
    const neededMs = quietMs ?? (isStatic ? 0 : DEFAULT_QUIET_MS)
    await frame.waitUntil(() => isReplaced() || frame.isQuietFor(neededMs), limits())
  } catch (error) {
    if (signal.aborted || !isReplaced()) throw error
  }
}

async function waitForFonts(
  page: OpenPage,
  frame: MainFrame,
  { isReplaced, ...limits }: { isReplaced: () => boolean; remainingMs: () => number; signal: AbortSignal },
): Promise<void> {
  let areReady = false
  const ready = runInPage(page, FONTS_READY).then(
    () => (areReady = true),
    // Fails only when the document is replaced, which the condition below notices.
    () => (areReady = isReplaced()),
  )
  await frame.waitUntil(() => areReady || isReplaced(), limits)
  if (isReplaced()) await ready
}
