import type { MainFrame } from './main-frame.js'
import type { OpenPage } from './open-page.js'
import { runInPage } from './run-in-page.js'

/** Pages that grow while one scrolls have no end. */
const MAX_SCREENS = 64
const QUIET_MS = 100
const MAX_WAIT_MS = 3_000

const LOAD_EAGERLY = `() => {
  for (const element of document.querySelectorAll('[loading="lazy"]')) element.loading = 'eager'
  return document.scrollingElement?.scrollHeight ?? 0
}`
/** Two frames, so that observers have been told and have drawn. */
const SCROLL_TO = `(top) => new Promise((resolve) => {
  scrollTo({ top, behavior: 'instant' })
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(document.scrollingElement?.scrollHeight ?? 0)))
})`

/** Has everything of a long page loaded that waits to be scrolled to, and goes back to the top. */
export async function loadLazyContent(
  page: OpenPage,
  frame: MainFrame,
  { screenHeight, patienceMs, signal }: { screenHeight: number; patienceMs: () => number; signal: AbortSignal },
): Promise<void> {
  let height = await runInPage<number>(page, LOAD_EAGERLY)
  for (let screen = 1; screen <= MAX_SCREENS && screen * screenHeight < height && patienceMs() > 0; screen++)
    height = await runInPage<number>(page, SCROLL_TO, screen * screenHeight)
  await frame.until(() => frame.isQuietFor(QUIET_MS), { timeoutMs: Math.min(MAX_WAIT_MS, patienceMs()), signal })
  await runInPage(page, SCROLL_TO, 0)
}
