import { PageError, type PageQuery } from '../../query/index.js'
import { findElementBox, type Box } from './find-element-box.js'
import { finishAnimations } from './finish-animations.js'
import { loadLazyContent } from './load-lazy-content.js'
import type { MainFrame } from './main-frame.js'
import type { OpenPage } from './open-page.js'
import type { Device } from './resolve-device.js'
import { runInPage } from './run-in-page.js'
import { intersection, padBox } from './screenshot-geometry.js'
import type { Deadline } from './start-deadline.js'

export interface PrepareBoxOptions {
  query: PageQuery
  device: Device
  deadline: Deadline
  signal: AbortSignal
  warn: (warning: string) => void
}

/**
 * Brings the page into its final state.
 *
 * @returns  The part to capture; `undefined` for the content of the viewport.
 * @throws   {PageError} `EELEMENT`, or `EINVALQUERY` for an invalid selector and for a clip outside of the page.
 */
export async function prepareBox(
  page: OpenPage,
  frame: MainFrame,
  { query, device, deadline, signal, warn }: PrepareBoxOptions,
): Promise<Box | undefined> {
  const { remainingWaitMs } = deadline
  const { fullPage, clip, padding } = typeof query.screenshot === 'object' ? query.screenshot : {}
  if (clip && query.element) warn('clip has no effect together with element.')
  if (padding && !clip && !query.element) warn('padding has no effect without element or clip.')
  if (fullPage) await loadLazyContent(page, frame, { viewportHeight: device.height, remainingWaitMs, signal })
  const measure = () => measureBox(page, query, { remainingWaitMs, signal })
  if (!query.animations) await finishAnimations(page)
  const box = await measure()
  // Scrolling the element into view may have started animations that move it.
  return box && !query.animations && (await finishAnimations(page)) ? measure() : box
}

async function measureBox(
  page: OpenPage,
  { element, screenshot }: PageQuery,
  limits: { remainingWaitMs: () => number; signal: AbortSignal },
): Promise<Box | undefined> {
  const { fullPage, clip, padding = 0 } = typeof screenshot === 'object' ? screenshot : {}
  const box = element ? await findElementBox(page, element, limits) : clip && (await clipBox(page, clip))
  if (box) return padding ? padBox(box, padding, await documentBox(page)) : box
  return fullPage ? documentBox(page) : undefined
}

async function documentBox({ session }: OpenPage): Promise<Box> {
  const { cssContentSize } = await session.send('Page.getLayoutMetrics')
  return cssContentSize
}

const SCROLL_TO = `(left, top) => scrollTo({ left, top, behavior: 'instant' })`

/** The part of the rectangle that is within the page. */
async function clipBox(page: OpenPage, clip: string): Promise<Box> {
  const [x = 0, y = 0, width = 0, height = 0] = clip.split(',').map(Number)
  await runInPage(page, SCROLL_TO, x, y)
  const document = await documentBox(page)
  const box = intersection({ x, y, width, height }, document)
  if (box.width > 0 && box.height > 0) return box
  const reason = `lies outside of the page, which has ${document.width} × ${document.height} CSS pixels`
  throw new PageError('EINVALQUERY', `screenshot.clip ${reason}.`, { data: { 'screenshot.clip': reason } })
}
