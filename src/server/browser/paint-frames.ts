import { withinTime } from './abortable.js'
import { restoreElements, uncoverElements } from './in-page/capture-area.js'
import { layImage, removeImages, scrollPosition, scrollToPosition, waitForPaint } from './in-page/page-scripts.js'
import { atMost } from './main-frame.js'
import { edgesInPage, framesIn, isForeign, type PageFrame } from './page-frames.js'
import { runInPage } from './run-in-page.js'
import { documentBox, intersection, viewportBox, viewportOrigin, type Box } from './take-screenshot.js'
import type { Visit } from './visit.js'

/** Smaller frames are trackers. */
const MIN_SIDE_PX = 20
const MAX_FRAMES = 20
/** Of a viewport that is a few pixels high, a frame has any number of parts. */
const MAX_PARTS = 200
/** Image pixels of all frames that are painted in advance. */
const MAX_PIXELS = 20_000_000
const MAX_TIME_MS = 5_000
/** A frame that is busy may not have painted by then. */
const PAINT_TIMEOUT_MS = 500
const QUIET_MS = 100
const MAX_QUIET_WAIT_MS = 1_000
const MAX_IMAGE_BYTES = 8_000_000
const LAY_TIMEOUT_MS = 1_000

const EVERYTHING = { left: 0, top: 0, right: 1_000_000, bottom: 1_000_000 }

/**
 * Chromium does not paint frames of other origins outside of the viewport, so a screenshot that is taller shows them white. Each is
 * scrolled into view, and an image of it laid over its place. A viewport as tall as the page would paint them too, but changes the
 * page: `100vh`, media queries, scripts that listen to its size.
 *
 * @param area  What is captured, in the document.
 */
export async function paintFrames(visit: Visit, area: Box): Promise<void> {
  const { page, device, deadline, signal } = visit
  await runInPage(page, removeImages)
  const viewport = await viewportBox(page)
  if (isWithin(area, viewport) || (page.setups.sessions.size === 1 && !(await hasFrames(visit)))) return
  const remainingMs = atMost(MAX_TIME_MS, deadline.limitWait)
  const { parts, areAll } = await hiddenParts(visit, area, viewport)
  if (parts.length === 0) return
  let pixels = 0
  let isComplete = areAll
  for (const [index, { frame, box }] of parts.entries()) {
    pixels += box.width * box.height * device.deviceScaleFactor ** 2
    const isAffordable = index < MAX_PARTS && pixels <= MAX_PIXELS && remainingMs() > 0
    if (!isAffordable || !(await paintPart(visit, frame, box))) isComplete = false
    if (!isAffordable) break
    signal.throwIfAborted()
  }
  if (!isComplete) visit.warnings.add('The page has more frames of other sites than the screenshot shows.')
  await runInPage(page, scrollToPosition, ...(await scrollOf(visit, viewport)))
}

const isWithin = (box: Box, outer: Box) => {
  const { width, height } = intersection(box, outer)
  return width >= box.width && height >= box.height
}

const isEmpty = ({ width, height }: Box) => width <= 0 || height <= 0

async function hasFrames({ page }: Visit): Promise<boolean> {
  const { frameTree } = await page.session.send('Page.getFrameTree')
  return (frameTree.childFrames?.length ?? 0) > 0
}

/** The parts of frames of other origins that are outside of the viewport, of so many frames as are painted; each part fits into it. */
async function hiddenParts(
  { page, signal }: Visit,
  area: Box,
  viewport: Box,
): Promise<{ parts: { frame: PageFrame; box: Box }[]; areAll: boolean }> {
  const parts: { frame: PageFrame; box: Box }[] = []
  let frameCount = 0
  const { frames, areAll } = await framesIn(page, signal)
  for (const frame of frames.filter(isForeign)) {
    // Fails only when the frame is gone.
    const edges = await edgesInPage(frame, EVERYTHING, false).catch(() => undefined)
    if (!edges) continue
    const { left, top, right, bottom } = edges
    const inDocument = { x: left + viewport.x, y: top + viewport.y, width: right - left, height: bottom - top }
    const box = intersection(inDocument, area)
    if (box.width < MIN_SIDE_PX || box.height < MIN_SIDE_PX || isWithin(box, viewport)) continue
    if (++frameCount > MAX_FRAMES) return { parts, areAll: false }
    // One more than are painted, so that a warning says that some are missing.
    for (let y = box.y; y < box.y + box.height && parts.length <= MAX_PARTS; y += viewport.height)
      parts.push({ frame, box: { ...box, y, height: Math.min(viewport.height, box.y + box.height - y) } })
  }
  return { parts, areAll }
}

/** @returns  Whether the part could be painted, or is not on the page any more. */
async function paintPart(visit: Visit, frame: PageFrame, part: Box): Promise<boolean> {
  const { page, signal } = visit
  const { height } = await viewportBox(page)
  const centred = { x: part.x, y: part.y - (height - part.height) / 2 }
  await runInPage(page, scrollToPosition, ...(await scrollOf(visit, centred)))
  const viewport = await viewportBox(page)
  const box = intersection(part, viewport)
  if (isEmpty(box)) return isEmpty(intersection(part, await documentBox(page)))
  const [left, top] = [box.x - viewport.x, box.y - viewport.y]
  await runInPage(page, uncoverElements, [], { left, top, right: left + box.width, bottom: top + box.height }, true)
  const painting = { timeoutMs: PAINT_TIMEOUT_MS, signal }
  await withinTime(runInPage(frame, waitForPaint), painting).catch(() => undefined)
  await visit.frame.waitUntil(
    () => visit.frame.isQuietFor(QUIET_MS),
    atMost(MAX_QUIET_WAIT_MS, visit.deadline.limitWait),
  )
  await withinTime(runInPage(frame, waitForPaint), painting).catch(() => undefined)
  const image = await capturePart(visit, { ...box, scale: 1 })
  if (image.length === 0 || image.length > MAX_IMAGE_BYTES) return false
  const laying = runInPage(page, layImage, image.toString('base64'), { ...box, x: left, y: top })
  const within = { timeoutMs: LAY_TIMEOUT_MS, signal }
  return withinTime(laying, within).then(
    () => true,
    () => false,
  )
}

async function capturePart({ page, signal }: Visit, clip: Box & { scale: number }): Promise<Buffer> {
  try {
    const capturing = page.captureScreenshot({ format: 'png', optimizeForSpeed: true, clip })
    return await withinTime(capturing, { timeoutMs: MAX_TIME_MS, signal })
  } finally {
    await runInPage(page, restoreElements)
  }
}

/** The scroll position that brings a point of the document to the top left corner of the viewport. */
export async function scrollOf(
  { page }: Visit,
  { x, y }: { x: number; y: number },
): Promise<[left: number, top: number]> {
  const origin = await viewportOrigin(page)
  const { left, top } = await runInPage(page, scrollPosition)
  return [left + x - origin.x, top + y - origin.y]
}
