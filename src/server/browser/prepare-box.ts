import type { PageQuery } from '../../query/index.js'
import { findElementBox, type Box } from './find-element-box.js'
import { finishAnimations } from './finish-animations.js'
import { loadLazyContent } from './load-lazy-content.js'
import type { MainFrame } from './main-frame.js'
import type { OpenPage } from './open-page.js'
import { invalidClip, resolveClip } from './resolve-clip.js'
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
  query: PageQuery,
  limits: { remainingWaitMs: () => number; signal: AbortSignal },
): Promise<Box | undefined> {
  const { fullPage, padding = 0 } = typeof query.screenshot === 'object' ? query.screenshot : {}
  const clip = resolveClip(query)
  const box = query.element ? await findElementBox(page, query.element, limits) : clip && (await clipBox(page, clip))
  if (box) return padding ? padBox(box, padding, await documentBox(page)) : box
  return fullPage ? documentBox(page) : undefined
}

async function documentBox({ session }: OpenPage): Promise<Box> {
  const { cssContentSize } = await session.send('Page.getLayoutMetrics')
  return cssContentSize
}

const SCROLL_TO = `(left, top) => scrollTo({ left, top, behavior: 'instant' })`

/** The part of the rectangle that is within the page. */
async function clipBox(page: OpenPage, clip: Box): Promise<Box> {
  await runInPage(page, SCROLL_TO, clip.x, clip.y)
  const document = await documentBox(page)
  const box = intersection(clip, document)
  if (box.width > 0 && box.height > 0) return box
  throw invalidClip(`lies outside of the page, which has ${document.width} × ${document.height} CSS pixels`)
}
