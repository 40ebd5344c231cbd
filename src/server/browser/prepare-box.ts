import type { PageQuery } from '../../query/index.js'
import { findElementBox, type Box } from './find-element-box.js'
import { finishAnimations } from './finish-animations.js'
import { loadLazyContent } from './load-lazy-content.js'
import type { MainFrame } from './main-frame.js'
import type { OpenPage } from './open-page.js'
import type { Device } from './resolve-device.js'
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
 * @throws   {PageError} `EELEMENT`, or `EINVALQUERY` for an invalid selector.
 */
export async function prepareBox(
  page: OpenPage,
  frame: MainFrame,
  { query, device, deadline, signal }: PrepareBoxOptions,
): Promise<Box | undefined> {
  const { waitLeftMs } = deadline
  const fullPage = typeof query.screenshot === 'object' && query.screenshot.fullPage === true
  if (fullPage) await loadLazyContent(page, frame, { viewportHeight: device.height, waitLeftMs, signal })
  const measure = () => measureBox(page, query, { fullPage, waitLeftMs, signal })
  if (!query.animations) await finishAnimations(page)
  const box = await measure()
  // Scrolling the element into view may have started animations that move it.
  return box && !query.animations && (await finishAnimations(page)) ? measure() : box
}

async function measureBox(
  page: OpenPage,
  { element, screenshot }: PageQuery,
  { fullPage, ...limits }: { fullPage: boolean; waitLeftMs: () => number; signal: AbortSignal },
): Promise<Box | undefined> {
  const selector = element ?? (typeof screenshot === 'object' ? screenshot.element : undefined)
  if (selector !== undefined) return findElementBox(page, selector, limits)
  if (!fullPage) return undefined
  const { cssContentSize } = await page.session.send('Page.getLayoutMetrics')
  return cssContentSize
}
