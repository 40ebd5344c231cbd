import { setTimeout as sleep } from 'node:timers/promises'
import { invalidParameter } from '../../query/help/index.js'
import { PageError, type PageQuery } from '../../query/index.js'
import { withinTime } from './abortable.js'
import { loadWholePage, orWarn, waitForImages, waitForInSight, waitForLazyContent } from './full-page.js'
import { hideLateOverlays } from './hide-overlays.js'
import { measureElement, renderOutside, uncoverElements, type Edges } from './in-page/capture-area.js'
import { finishAnimations, revealContent } from './in-page/motion.js'
import { loadWaitingImages, scrollsSideways, scrollToPosition, waitForPaint } from './in-page/page-scripts.js'
import { edgesInPage, framesIn, type PageFrame } from './page-frames.js'
import { edgesOf, MAX_VIEWPORTS, searchElement, type ElementSearch, type PageElement } from './page-elements.js'
import { paintFrames, scrollOf } from './paint-frames.js'
import { waitForRest } from './rest.js'
import { runInPage } from './run-in-page.js'
import { documentBox, intersection, viewportOrigin, type Box } from './take-screenshot.js'
import type { Visit } from './visit.js'
import { ELEMENT_GRACE_MS, invalidSelector } from './visit-page.js'

const OUTSIDE_MISSING = 'What the browser renders near the viewport only may be missing in the screenshot.'
const REVEALS_MISSING = 'fullPage: what the page shows only while it is scrolled may be missing in the screenshot.'
const NOT_SCROLLED =
  'The element or the clip is too long to be scrolled to its end; what loads on scroll may be missing near it.'
const LAZY_MISSING = 'What loads or appears on scroll may be missing in the screenshot.'
const FRAMES_MISSING = 'Frames of other sites may be missing in the screenshot.'
/** An animation that finishes may start another. */
const MAX_ANIMATION_ROUNDS = 3
/** The process of a frame may be busy, or the machine; a frame that does not finish its animation may show nothing. */
const FRAMES_TIMEOUT_MS = 1_500
const POLL_MS = 50

/**
 * Brings the page into its final state.
 *
 * @returns  The part to capture; `undefined` for the content of the viewport.
 * @throws   {PageError} `EELEMENT`, or `EINVALQUERY` for an invalid selector and for a clip outside of the page.
 */
export async function prepareArea(visit: Visit): Promise<Box | undefined> {
  const { query, warnings } = visit
  const { fullPage, clip, padding } = typeof query.screenshot === 'object' ? query.screenshot : {}
  if (clip && query.element) warnings.add('clip has no effect together with element.')
  if (padding && !clip && !query.element) warnings.add('padding has no effect without element or clip.')
  if (fullPage || clip || query.element)
    await orWarn(visit, OUTSIDE_MISSING, async () => {
      await runInPage(visit.page, renderOutside, fullPage === true || clip !== undefined)
      return true
    })
  if (fullPage) await loadWholePage(visit)
  // A banner may have been out of sight until then.
  if (await finishAllAnimations(visit)) await hideLateOverlays(visit, true)
  if (fullPage) await reveal(visit, REVEALS_MISSING)
  const inFlight = new Set(visit.frame.requestsInFlight().map(({ url }) => url))
  let area = await measureArea(visit)
  const isTall = area !== undefined && !fullPage && area.height > visit.device.height
  if (area && isTall) {
    await loadTallArea(visit, area)
    area = await measureArea(visit)
  }
  // Scrolling the element into view may have started animations that move it, and loaded what is in it.
  if (area && !fullPage && query.javascript !== false) await runInPage(visit.page, waitForPaint)
  const isLoading = area && !fullPage && visit.frame.requestsInFlight().some(({ url }) => !inFlight.has(url))
  if (isLoading) await waitForInSight(visit)
  const hasMoved = (area && !fullPage && (await waitForRest(visit))) || isLoading
  if (area && ((await finishAllAnimations(visit, isTall)) || hasMoved)) area = await measureArea(visit)
  if (isTall) {
    // What has come into sight, or has left it, since then.
    await finishAllAnimations(visit, isTall)
    await reveal(visit, LAZY_MISSING)
  }
  if (area && query.element) await uncover(visit, area, query.element)
  if (area) {
    const whole = area
    await orWarn(visit, FRAMES_MISSING, async () => {
      await paintFrames(visit, whole)
      return true
    })
  }
  return area
}

/** Loads what loads on scroll in an area that is taller than the viewport, as `loadWholePage` does for a page. */
async function loadTallArea(visit: Visit, area: Box): Promise<void> {
  const { page } = visit
  await orWarn(visit, NOT_SCROLLED, () => scrollThroughArea(visit, area))
  await orWarn(visit, LAZY_MISSING, async () => {
    await runInPage(page, loadWaitingImages, await edgesInView(visit, area))
    return true
  })
  await waitForLazyContent(visit)
  await waitForImages(visit)
  // Some appear because the page was scrolled.
  await hideLateOverlays(visit)
}

const reveal = (visit: Visit, warning: string) =>
  orWarn(visit, warning, async () => {
    await runInPage(visit.page, revealContent)
    return true
  })

/** @returns Whether it has reached the end. */
async function scrollThroughArea(visit: Visit, { x, y, height }: Box): Promise<boolean> {
  const { page, device, deadline } = visit
  const [left, top] = await scrollOf(visit, { x, y })
  for (let count = 0; count * device.height < height; count++) {
    if (count >= MAX_VIEWPORTS || deadline.limitWait() <= 0) return false
    await runInPage(page, scrollToPosition, left, top + count * device.height)
  }
  return true
}

/** With `animations`, only those that follow the scroll position. @returns Whether the page itself had any. */
async function finishAllAnimations(visit: Visit, isTall = false): Promise<boolean> {
  const { page, query } = visit
  const isWhole = isTall || (typeof query.screenshot === 'object' && query.screenshot.fullPage === true)
  if (query.animations && !isWhole) return false
  if (!query.animations) await finishInFrames(visit)
  for (let round = 0; round < MAX_ANIMATION_ROUNDS; round++) {
    const count = await runInPage(page, finishAnimations, isWhole, !query.animations)
    if (count === 0) return round > 0
    await runInPage(page, waitForPaint)
  }
  return true
}

async function finishInFrames(visit: Visit): Promise<void> {
  const { page, deadline, signal } = visit
  const finishing = framesIn(page, signal).then(({ frames }) =>
    Promise.all(frames.map((frame) => finishInFrame(visit, frame).catch(() => undefined))),
  )
  const timeoutMs = Math.min(FRAMES_TIMEOUT_MS, deadline.limitWait())
  await withinTime(finishing, { timeoutMs, signal }).catch(() => signal.throwIfAborted())
}

async function finishInFrame({ device }: Visit, frame: PageFrame): Promise<void> {
  if ((await runInPage(frame, finishAnimations, false, true)) === 0) return
  const everything = { left: 0, top: 0, right: Infinity, bottom: Infinity }
  const { left, top, right, bottom } = await edgesInPage(frame, everything, false)
  // Out of sight, frames of other sites are not painted.
  const isInSight = right > Math.max(0, left) && left < device.width && bottom > Math.max(0, top) && top < device.height
  if (isInSight) await runInPage(frame, waitForPaint)
}

async function measureArea(visit: Visit): Promise<Box | undefined> {
  const { query } = visit
  const { fullPage, padding = 0 } = typeof query.screenshot === 'object' ? query.screenshot : {}
  const clip = resolveClip(query)
  const box = query.element ? await findElementBox(visit, query.element) : clip && (await clipBox(visit, clip))
  if (box) return padding ? padBox(box, padding, await documentBox(visit.page)) : box
  return fullPage ? reachableBox(visit) : undefined
}

/** The part of the document that a visitor can scroll to: beside a page that does not scroll sideways, menus wait to be opened. */
async function reachableBox({ page }: Visit): Promise<Box> {
  const whole = await documentBox(page)
  if (await runInPage(page, scrollsSideways)) return whole
  const { cssLayoutViewport } = await page.session.send('Page.getLayoutMetrics')
  return intersection(whole, { ...whole, x: cssLayoutViewport.pageX, width: cssLayoutViewport.clientWidth })
}

const MESSAGES = {
  missing:
    'No element of the page or its frames matches the selector. Check it, or wait for the element with waitForSelector.',
  hidden: 'The element exists but is not visible. Select another element, or make it visible with click or styles.',
  empty: 'The element exists but has no width or height. Select another element.',
}

type Found = { state: 'found'; box: Box } | { state: 'invalid' | keyof typeof MESSAGES; index: number }

/**
 * Finds the box around one or several elements, waits briefly for them to appear, and scrolls each into view.
 *
 * @throws  {PageError} `EELEMENT` with `missing`, `hidden` or `empty` for the first that fails; `EINVALQUERY` for an invalid selector.
 */
async function findElementBox(visit: Visit, element: string | readonly string[]): Promise<Box> {
  const { deadline, signal } = visit
  const selectors = toList(element)
  const graceEndsAt = performance.now() + ELEMENT_GRACE_MS
  const searches = selectors.map((selector) => searchElement(visit, selector, 'capture'))
  while (true) {
    const isLast = performance.now() >= graceEndsAt || deadline.limitWait() <= 0
    const found = await findElements(visit, searches, isLast)
    if (found.state === 'found') return found.box
    const { state, index } = found
    if (state === 'invalid') throw invalidSelector(selectors === element ? `element.${index}` : 'element')
    if (isLast)
      throw new PageError('EELEMENT', MESSAGES[state], {
        data: { element: state, ...(selectors === element && { selector: selectors[index]! }) },
      })
    await sleep(POLL_MS, undefined, { signal })
  }
}

const toList = (element: string | readonly string[]): readonly string[] =>
  typeof element === 'string' ? [element] : element

async function findElements(visit: Visit, searches: readonly ElementSearch[], isLast: boolean): Promise<Found> {
  const elements: PageElement[] = []
  for (const [index, find] of searches.entries()) {
    const search = await find(isLast)
    if (search.state !== 'found') return { state: search.state, index }
    const { element } = search
    elements.push(element)
    if (element.isExpanded) await waitForLazyContent(visit)
    if (element.hiddenHeight > 0)
      visit.warnings.add('element: more scrolls inside the element than the screenshot shows.')
    if (element.frame.parent) await edgesOf(element, true)
  }
  const document = await documentBox(visit.page)
  const origin = await viewportOrigin(visit.page)
  const boxes: Box[] = []
  // Only now, because some elements move while others are scrolled into view.
  for (const [index, element] of elements.entries()) {
    const edges = await edgesOf(element)
    if (!edges) return { state: 'missing', index }
    if (edges.isCut)
      visit.warnings.add(
        'element: the element is wider than what scrolls around it; the screenshot shows the part in sight.',
      )
    // Nothing outside of the document can be scrolled into view.
    const { left, top, right, bottom } = edges
    const inDocument = { x: left + origin.x, y: top + origin.y, width: right - left, height: bottom - top }
    const box = intersection(inDocument, document)
    if (box.width <= 0 || box.height <= 0) return { state: 'hidden', index }
    boxes.push(box)
  }
  return { state: 'found', box: union(boxes) }
}

/** Removes headers and the like from elements that they do not belong to. */
async function uncover(visit: Visit, area: Box, element: string | readonly string[]): Promise<void> {
  const { page } = visit
  await runInPage(page, uncoverElements, toList(element), await edgesInView(visit, area), false)
  for (const selector of toList(element))
    if (!(await runInPage(page, measureElement, selector))) await uncoverInFrames(visit, selector)
}

/** The same in the frames that have such an element. */
async function uncoverInFrames({ page, signal }: Visit, selector: string): Promise<void> {
  const { frames } = await framesIn(page, signal)
  const uncovering = frames.map(async (frame) => {
    const edges = await runInPage(frame, measureElement, selector)
    if (edges) await runInPage(frame, uncoverElements, [selector], edges, false)
  })
  const within = { timeoutMs: FRAMES_TIMEOUT_MS, signal }
  // A frame may be gone, or not respond.
  await Promise.all(uncovering.map((each) => withinTime(each, within).catch(() => undefined)))
  signal.throwIfAborted()
}

async function edgesInView({ page }: Visit, { x, y, width, height }: Box): Promise<Edges> {
  const origin = await viewportOrigin(page)
  const [left, top] = [x - origin.x, y - origin.y]
  return { left, top, right: left + width, bottom: top + height }
}

/**
 * Resolves `screenshot.clip` of a query.
 *
 * @returns  CSS pixels of the page; `undefined` if the query has none.
 * @throws   {PageError} `EINVALQUERY` for a rectangle without width or height.
 */
export function resolveClip({ screenshot }: PageQuery): Box | undefined {
  const clip = typeof screenshot === 'object' ? screenshot.clip : undefined
  if (!clip) return undefined
  const [x = 0, y = 0, width = 0, height = 0] = clip.split(',').map(Number)
  if (width > 0 && height > 0) return { x, y, width, height }
  throw invalidClip('must have a width and a height above 0')
}

/** The part of the rectangle that is within the page. */
async function clipBox(visit: Visit, clip: Box): Promise<Box> {
  await runInPage(visit.page, scrollToPosition, clip.x, clip.y)
  await waitForLazyContent(visit)
  await waitForImages(visit)
  // What stays in the viewport is where it is on the page as a whole.
  await runInPage(visit.page, scrollToPosition, 0, 0)
  const document = await documentBox(visit.page)
  const box = intersection(clip, document)
  if (box.width > 0 && box.height > 0) return box
  throw invalidClip(`lies outside the page, which is ${document.width} × ${document.height} CSS pixels`)
}

const invalidClip = (reason: string) => invalidParameter('screenshot.clip', reason)

/** The smallest box that contains all of them. */
function union(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  const right = Math.max(...boxes.map((box) => box.x + box.width))
  const bottom = Math.max(...boxes.map((box) => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}

/** Extends a box by `padding` on each side, within the document; never smaller than the box itself. */
export function padBox({ x, y, width, height }: Box, padding: number, document: Box): Box {
  const left = Math.min(x, Math.max(document.x, x - padding))
  const top = Math.min(y, Math.max(document.y, y - padding))
  const right = Math.max(x + width, Math.min(document.x + document.width, x + width + padding))
  const bottom = Math.max(y + height, Math.min(document.y + document.height, y + height + padding))
  return { x: left, y: top, width: right - left, height: bottom - top }
}
