import { expandMainArea, scrollMainArea } from './in-page/capture-area.js'
import { copyRows, findLists, restoreRows, watchLists } from './in-page/list-rows.js'
import { loadEagerly } from './in-page/page-scripts.js'
import { atMost } from './main-frame.js'
import { MAX_VIEWPORTS } from './page-elements.js'
import { runInPage } from './run-in-page.js'
import { documentBox } from './take-screenshot.js'
import type { Visit } from './visit.js'

const LAZY_QUIET_MS = 100
const MAX_LAZY_WAIT_MS = 3_000

/**
 * Scrolls through the whole page, so that all content that loads on scroll does, and returns to the top. Content that scrolls inside
 * an element is expanded.
 */
export async function loadWholePage(visit: Visit): Promise<void> {
  const { page, device } = visit
  await runInPage(page, loadEagerly)
  await runInPage(page, watchLists)
  await scrollThrough(visit)
  const hasLists = (await runInPage(page, findLists)) > 0
  if (hasLists) {
    await runInPage(page, scrollMainArea, 0)
    await scrollThrough(visit, () => runInPage(page, copyRows))
  }
  await waitForLazyContent(visit)
  const { isInner } = await runInPage(page, scrollMainArea, 0)
  if (isInner) {
    await expandPage(visit, MAX_VIEWPORTS * device.height)
    await waitForLazyContent(visit)
  }
  if (hasLists && (await runInPage(page, restoreRows)))
    visit.warnings.add('fullPage: a list renders only the rows in sight; the screenshot does not show all of them.')
}

/** @param onStop  Called with each part of the page in sight. */
async function scrollThrough({ page, deadline }: Visit, onStop?: () => Promise<void>): Promise<void> {
  let area = await runInPage(page, scrollMainArea, null)
  await onStop?.()
  for (let count = 1; count <= MAX_VIEWPORTS && deadline.limitWait() > 0; count++) {
    const { top, visibleHeight, contentHeight } = area
    if (top + visibleHeight >= contentHeight) return
    area = await runInPage(page, scrollMainArea, top + visibleHeight)
    await onStop?.()
    if (area.top <= top) return
  }
}

/** Waits until what has come into sight has loaded. */
export const waitForLazyContent = ({ frame, deadline }: Visit) =>
  frame.waitUntil(() => frame.isQuietFor(LAZY_QUIET_MS), atMost(MAX_LAZY_WAIT_MS, deadline.limitWait))

/** Shows all that scrolls inside the main element of the page, or says what is missing. */
async function expandPage(visit: Visit, maxHeight: number): Promise<void> {
  const expanded = await runInPage(visit.page, expandMainArea, maxHeight)
  if (!expanded) return
  const { height, hiddenHeight, bottom } = expanded
  const isCut = bottom > (await documentBox(visit.page)).height + 1
  const shown = `the screenshot shows the first ${Math.round(height)} CSS pixels`
  if (isCut)
    visit.warnings.add(
      'fullPage: the page scrolls inside an element that cannot be expanded; the screenshot shows what is in sight.',
    )
  else if (hiddenHeight > 0)
    visit.warnings.add(`fullPage: the page scrolls inside an element; ${shown} of its content.`)
}
