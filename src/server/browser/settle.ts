import type { PageQuery } from '../../query/index.js'
import type { MainFrame } from './main-frame.js'
import type { OpenPage } from './open-page.js'
import { runInPage } from './run-in-page.js'

export interface SettleOptions {
  waitUntil: NonNullable<PageQuery['waitUntil']>
  patienceMs: () => number
  signal: AbortSignal
}

const IDLE_MS = 500
const SHORT_QUIET_MS = 40
/** After `load`, `auto` waits no longer for fonts and late requests: some pages never rest. */
const AUTO_PATIENCE_MS = 3_000

const READ_ACTIVITY = `() => ({
  hasPendingFonts: document.fonts.status === 'loading',
  isStill: !document.querySelector('script, iframe, object, meta[http-equiv="refresh" i]'),
})`
const FONTS_READY = `() => document.fonts.ready.then(() => true)`

/**
 * Waits until the page is as far as `waitUntil` says, also after client-side redirects; or until patience is at its end.
 *
 * @returns  Whether it got so far. A navigation that fails ends the waiting too.
 */
export async function settle(page: OpenPage, frame: MainFrame, options: SettleOptions): Promise<boolean> {
  const { waitUntil, patienceMs, signal } = options
  const milestone = waitUntil === 'domcontentloaded' ? 'DOMContentLoaded' : 'load'
  const isThere = () => !frame.isNavigating() && frame.has(milestone)
  while (true) {
    const isInTime = await frame.until(() => frame.failure() !== undefined || isThere(), {
      timeoutMs: patienceMs(),
      signal,
    })
    if (!isInTime || frame.failure()) return isInTime
    const document = frame.shown()?.loaderId
    if (waitUntil === 'auto') await rest(page, frame, options)
    if (
      waitUntil === 'networkidle' &&
      !(await frame.until(() => frame.isQuietFor(IDLE_MS), { timeoutMs: patienceMs(), signal }))
    )
      return false
    if (frame.failure() || (isThere() && frame.shown()?.loaderId === document)) return true
  }
}

/** Fonts are there, and nothing is being loaded; or another document is on its way. */
export async function rest(
  page: OpenPage,
  frame: MainFrame,
  { patienceMs, signal, quietMs }: Pick<SettleOptions, 'patienceMs' | 'signal'> & { quietMs?: number },
): Promise<void> {
  const document = frame.shown()?.loaderId
  const isReplaced = () => frame.isNavigating() || frame.shown()?.loaderId !== document || frame.failure() !== undefined
  const patience = () => Math.min(AUTO_PATIENCE_MS, patienceMs())
  try {
    const { hasPendingFonts, isStill } = await runInPage<{ hasPendingFonts: boolean; isStill: boolean }>(
      page,
      READ_ACTIVITY,
    )
    if (hasPendingFonts) await waitForFonts(page, frame, { isReplaced, timeoutMs: patience(), signal })
    const neededMs = quietMs ?? (isStill ? 0 : SHORT_QUIET_MS)
    await frame.until(() => isReplaced() || frame.isQuietFor(neededMs), { timeoutMs: patience(), signal })
  } catch (error) {
    if (signal.aborted || !isReplaced()) throw error
  }
}

async function waitForFonts(
  page: OpenPage,
  frame: MainFrame,
  { isReplaced, timeoutMs, signal }: { isReplaced: () => boolean; timeoutMs: number; signal: AbortSignal },
): Promise<void> {
  let areReady = false
  const ready = runInPage(page, FONTS_READY).then(
    () => (areReady = true),
    // Fails only with the document, which the loop below sees.
    () => (areReady = isReplaced()),
  )
  await frame.until(() => areReady || isReplaced(), { timeoutMs, signal })
  if (isReplaced()) await ready
}
