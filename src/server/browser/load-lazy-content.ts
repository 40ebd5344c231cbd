import type { MainFrame } from './main-frame.js'
import type { OpenPage } from './open-page.js'
import { runInPage } from './run-in-page.js'
import { atMost } from './wait-for-condition.js'

export interface LoadLazyContentOptions {
  /** CSS pixels. */
  viewportHeight: number
  remainingWaitMs: () => number
  signal: AbortSignal
}

/** A page with infinite scroll grows with every viewport that is scrolled. */
const MAX_VIEWPORTS = 64
const QUIET_MS = 100
const MAX_WAIT_MS = 3_000

const LOAD_EAGERLY = `() => {
  for (const element of document.querySelectorAll('[loading="lazy"]')) element.loading = 'eager'
  return document.scrollingElement?.scrollHeight ?? 0
}`
/** Intersection observers need two frames to run and to render. */
const SCROLL_TO = `(top) => new Promise((resolve) => {
  scrollTo({ top, behavior: 'instant' })
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(document.scrollingElement?.scrollHeight ?? 0)))
})`

/** Scrolls through the whole page, so that all content that loads on scroll does, and returns to the top. */
export async function loadLazyContent(
  page: OpenPage,
  frame: MainFrame,
  { viewportHeight, remainingWaitMs, signal }: LoadLazyContentOptions,
): Promise<void> {
  let height = await runInPage<number>(page, LOAD_EAGERLY)
  for (let count = 1; count <= MAX_VIEWPORTS && count * viewportHeight < height && remainingWaitMs() > 0; count++)
    height = await runInPage<number>(page, SCROLL_TO, count * viewportHeight)
  await frame.waitUntil(() => frame.isQuietFor(QUIET_MS), { remainingMs: atMost(MAX_WAIT_MS, remainingWaitMs), signal })
  await runInPage(page, SCROLL_TO, 0)
}
