import { withinTime } from './abortable.js'
import { openRootsInCentre } from './closed-roots.js'
import {
  expandFrame,
  expandMainArea,
  measureHidden,
  moveBarsToEnd,
  releaseRoot,
  scrollMainArea,
  stretchBackdrops,
  type ExpandedArea,
  type ScrollArea,
} from './in-page/capture-area.js'
import { copyRows, findLists, restoreRows, watchLists } from './in-page/list-rows.js'
import {
  documentHeight,
  isScrollingFrameset,
  loadEagerly,
  loadWaitingImages,
  scrollToPosition,
  waitForPaint,
} from './in-page/page-scripts.js'
import { atMost } from './main-frame.js'
import { hideLateOverlays } from './hide-overlays.js'
import { MAX_VIEWPORTS } from './page-elements.js'
import { scrollOf } from './paint-frames.js'
import { framesIn, isForeign, runOnFrameElement } from './page-frames.js'
import { waitForRest } from './rest.js'
import { DocumentReplacedError, runInPage } from './run-in-page.js'
import { waitForQuiet } from './settle.js'
import { documentBox, viewportBox } from './take-screenshot.js'
import type { Visit } from './visit.js'

const LAZY_QUIET_MS = 100
const MAX_LAZY_WAIT_MS = 3_000
/** Widths of the viewport: a page that is less wide has something that sticks out of it. */
const MIN_SIDEWAYS_SHARE = 1.5
/** A feed may have no end. */
const MAX_FEED_MS = 10_000
const FEED_PAUSE_MS = 150
/** The process of a frame may be busy. */
const FRAME_TIMEOUT_MS = 1_000

/**
 * Scrolls through the whole page, so that all content that loads on scroll does, and returns to the top. Content that scrolls inside
 * an element is expanded.
 */
export async function loadWholePage(visit: Visit): Promise<void> {
  const { page, device } = visit
  await runInPage(page, loadEagerly)
  await orWarn(visit, CANNOT_EXPAND, () => openScroller(visit))
  let hasLists = false
  await orWarn(visit, ROWS_MISSING, async () => {
    await runInPage(page, watchLists)
    return true
  })
  await orWarn(visit, NOT_SCROLLED, () => scrollThrough(visit, { isFeed: true }))
  await orWarn(visit, NOT_SCROLLED, () => scrollSideways(visit))
  await orWarn(visit, ROWS_MISSING, async () => {
    hasLists = (await runInPage(page, findLists)) > 0
    if (!hasLists) return true
    await runInPage(page, scrollMainArea, 0)
    return scrollThrough(visit, { onStop: () => runInPage(page, copyRows) })
  })
  await orWarn(visit, IMAGES_MISSING, async () => {
    await runInPage(page, loadWaitingImages, null)
    return true
  })
  await waitForLazyContent(visit)
  await waitForImages(visit)
  const scrolled = await runInPage(page, scrollMainArea, 0)
  await orWarn(visit, CANNOT_EXPAND, async () => !(await runInPage(page, isScrollingFrameset)))
  await orWarn(visit, CANNOT_EXPAND, () => expandPage(visit, scrolled, MAX_VIEWPORTS * device.height))
  await warnOfHidden(visit)
  if (hasLists) await orWarn(visit, ROWS_MISSING, async () => !(await runInPage(page, restoreRows)))
  await waitForRest(visit, true)
  // Some appear because the page was scrolled.
  await hideLateOverlays(visit)
  await orWarn(visit, BACKDROPS_CUT, async () => {
    await runInPage(page, stretchBackdrops)
    return true
  })
  await orWarn(visit, BARS_IN_PAGE, async () => {
    await runInPage(page, moveBarsToEnd)
    return true
  })
}

const MAX_REVEAL_MS = 3_000

/** Scrolls through the page, so that what appears on scroll does, and returns to the top. */
export async function revealWholePage(visit: Visit): Promise<void> {
  await scrollThrough(visit, { remainingMs: atMost(MAX_REVEAL_MS, visit.deadline.limitWait) })
  await waitForLazyContent(visit)
  await runInPage(visit.page, scrollMainArea, 0)
  await waitForRest(visit, true)
  // Some appear because the page was scrolled.
  await hideLateOverlays(visit)
}

const IMAGES_MISSING = 'fullPage: images that load on scroll may be missing in the screenshot.'
const CANNOT_EXPAND =
  'fullPage: the page scrolls inside an element that cannot be expanded; the screenshot shows what is in sight.'
const HIDDEN =
  'fullPage: the page has text below its first screen that cannot be reached by scrolling; the screenshot does not show it.'
/** Shorter texts below the first screen are those of menus and messages that a page moves in. */
const MIN_HIDDEN_CHARS = 300
const NOT_SCROLLED =
  'fullPage: the page is too long to be scrolled to its end; what loads on scroll may be missing near it.'
const BACKDROPS_CUT = 'fullPage: the background of the page may end after its first screen.'
const BARS_IN_PAGE = 'fullPage: what stays at the bottom of the viewport may cover text in the screenshot.'
const ROWS_MISSING = 'fullPage: a list renders only the rows in sight; the screenshot does not show all of them.'

/** Warns if the task resolves to `false`, or if the page makes it fail: the rest of the page is worth a screenshot. */
export async function orWarn(
  { warnings, signal }: Visit,
  warning: string,
  task: () => Promise<boolean>,
): Promise<void> {
  try {
    if (!(await task())) warnings.add(warning)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof DocumentReplacedError) throw error
    warnings.add(warning)
  }
}

/** A page that does not scroll may be fixed, or scroll in a closed shadow root. */
async function openScroller({ page, signal }: Visit): Promise<boolean> {
  const { isInner, contentHeight, visibleHeight } = await runInPage(page, scrollMainArea, null)
  if (isInner || contentHeight > visibleHeight) return true
  await runInPage(page, releaseRoot)
  await openRootsInCentre(page, signal)
  return true
}

async function warnOfHidden({ page, warnings, signal }: Visit): Promise<void> {
  const chars = await runInPage(page, measureHidden).catch((error: unknown) => {
    if (error instanceof DocumentReplacedError) throw error
    // The page makes the script fail.
    return 0
  })
  signal.throwIfAborted()
  if (chars >= MIN_HIDDEN_CHARS) warnings.add(HIDDEN)
}

/**
 * @param onStop   Called with each part of the page in sight.
 * @param isFeed   Whether the page is waited for at its end, because a feed fetches its next rows there.
 * @returns        Whether it has reached the end.
 */
async function scrollThrough(
  visit: Visit,
  {
    onStop,
    isFeed = false,
    remainingMs = visit.deadline.limitWait,
  }: { onStop?: () => Promise<void>; isFeed?: boolean; remainingMs?: () => number } = {},
): Promise<boolean> {
  const { page } = visit
  const remainingFeedMs = atMost(MAX_FEED_MS, remainingMs)
  let hasGrown = false
  let area = await runInPage(page, scrollMainArea, null)
  await onStop?.()
  for (let count = 1; remainingMs() > 0; count++) {
    const { top, visibleHeight, contentHeight } = area
    if (top + visibleHeight >= contentHeight) {
      if (!isFeed) return true
      if (remainingFeedMs() <= 0) return false
      // Its script may not have sent the request yet. Most pages are none, and are not waited for as long.
      if (hasGrown) await visit.frame.waitUntil(() => false, atMost(FEED_PAUSE_MS, remainingFeedMs))
      else await runInPage(page, waitForPaint)
      await waitForLazyContent(visit)
      area = await runInPage(page, scrollMainArea, null)
      if (area.contentHeight <= contentHeight) return true
      hasGrown = true
    }
    if (count > MAX_VIEWPORTS) break
    area = await runInPage(page, scrollMainArea, top + visibleHeight)
    await onStop?.()
    if (area.top <= top) return true
  }
  // What scrolls inside an element is cut off, with a warning of its own.
  return area.isInner || area.top + area.visibleHeight >= area.contentHeight
}

/** Scrolls through what is beside the first screen of a page that is meant to be scrolled sideways, and back. As `scrollThrough`. */
async function scrollSideways(visit: Visit): Promise<boolean> {
  const { page, deadline } = visit
  const [document, viewport] = [await documentBox(page), await viewportBox(page)]
  if (document.width <= MIN_SIDEWAYS_SHARE * viewport.width || viewport.width < 1 || viewport.height < 1) return true
  const start = await scrollOf(visit, viewport)
  const columns = Math.ceil(document.width / viewport.width) - 1
  const stops = columns * Math.ceil(document.height / viewport.height)
  /** A page in Arabic begins at its right edge. */
  const step = viewport.x > document.x ? -viewport.width : viewport.width
  let count = 0
  for (; count < Math.min(stops, MAX_VIEWPORTS) && deadline.limitWait() > 0; count++) {
    const [row, column] = [Math.floor(count / columns), 1 + (count % columns)]
    await runInPage(page, scrollToPosition, start[0] + column * step, row * viewport.height)
  }
  await runInPage(page, scrollToPosition, ...start)
  return count >= stops
}

/** Waits until what has come into sight has loaded. */
export const waitForLazyContent = ({ frame, deadline }: Visit) =>
  frame.waitUntil(() => frame.isQuietFor(LAZY_QUIET_MS), atMost(MAX_LAZY_WAIT_MS, deadline.limitWait))

/** Waits for images that take longer, as for all in the screenshot: none is missing without a warning. */
export async function waitForImages(visit: Visit): Promise<void> {
  if (visit.frame.requestsInFlight().some(({ type }) => type === 'Image')) await waitForInSight(visit)
}

/** Waits until what is in flight has arrived, as far as it is in the screenshot, and names an image that has not. */
export async function waitForInSight(visit: Visit): Promise<void> {
  const missing = await waitForQuiet(visit, { quietMs: LAZY_QUIET_MS })
  if (missing !== undefined) visit.warnings.add(missing)
}

/** Shows what scrolls inside an element or in a frame. @returns Whether it could. */
async function expandPage(visit: Visit, scrolled: ScrollArea, maxHeight: number): Promise<boolean> {
  const { page, warnings } = visit
  const { isInner, contentHeight, visibleHeight } = scrolled
  // A page that does not scroll may show another one in a frame.
  const isFramed = !isInner && contentHeight <= visibleHeight
  const expanded = isInner ? await runInPage(page, expandMainArea, maxHeight) : undefined
  const area = expanded ?? (isFramed ? await expandForeignFrame(visit, maxHeight) : undefined)
  if (!area) return true
  await waitForLazyContent(visit)
  const { height, hiddenHeight, bottom } = area
  if (bottom > (await documentBox(page)).height + 1) return false
  const shown = `the screenshot shows the first ${Math.round(height)} CSS pixels`
  if (hiddenHeight > 0) warnings.add(`fullPage: the page scrolls inside an element; ${shown} of its content.`)
  return true
}

/** Expands the frame of another origin that fills the page, if there is one. */
async function expandForeignFrame({ page, signal }: Visit, maxHeight: number): Promise<ExpandedArea | undefined> {
  const { frames } = await framesIn(page, signal)
  for (const frame of frames.filter(isForeign)) {
    const within = { timeoutMs: FRAME_TIMEOUT_MS, signal }
    try {
      const contentHeight = await withinTime(runInPage(frame, documentHeight), within)
      const expanded = await runOnFrameElement(frame, expandFrame, contentHeight, maxHeight)
      if (expanded) return expanded
    } catch {
      // The frame is gone, or does not respond.
      signal.throwIfAborted()
    }
  }
  return undefined
}
