import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenPage } from './open-page.js'
import { runInPage } from './run-in-page.js'

const POLL_MS = 50
/** Chromium searches the text of a fragment again half a second after the page has loaded, and only then gives up. */
const SEARCH_MS = 800
/** Longest wait for a page that scrolls smoothly. */
const MAX_WAIT_MS = 2_000

const SCROLL_POSITION = `() => scrollX + ' ' + scrollY`
const TOP = '0 0'

/** Waits until Chromium has scrolled to what the hash of the URL names: an element, or `:~:text=…`. */
export async function waitForScroll(
  page: OpenPage,
  url: string,
  { remainingWaitMs, signal }: { remainingWaitMs: () => number; signal: AbortSignal },
): Promise<void> {
  const { hash } = new URL(url)
  if (!hash) return
  const searchEndsAt = performance.now() + (hash.includes(':~:') ? SEARCH_MS : 0)
  const endsAt = performance.now() + MAX_WAIT_MS
  let previous: string | undefined
  while (performance.now() < endsAt && remainingWaitMs() > 0) {
    const position = await runInPage<string>(page, SCROLL_POSITION)
    const isSearching = position === TOP && performance.now() < searchEndsAt
    if (position === previous && !isSearching) return
    previous = position
    await sleep(POLL_MS, undefined, { signal })
  }
}
