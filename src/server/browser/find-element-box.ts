import { setTimeout as sleep } from 'node:timers/promises'
import { PageError } from '../../query/index.js'
import { invalidSelectorError } from './invalid-selector-error.js'
import type { OpenPage } from './open-page.js'
import { runInPage } from './run-in-page.js'

/** CSS pixels, from the top left corner of the document. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

type ElementState = { state: 'invalid' | 'missing' | 'hidden' | 'empty' } | ({ state: 'visible' } & Box)

const POLL_MS = 50
/** An element may appear this much later than the page has loaded. */
const GRACE_MS = 1_000

const FIND_ELEMENT = `(selector) => {
  let element
  try { element = document.querySelector(selector) } catch { return { state: 'invalid' } }
  if (!element) return { state: 'missing' }
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return { state: 'hidden' }
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  const { left, top, width, height } = element.getBoundingClientRect()
  if (!width || !height) return { state: 'empty' }
  // Content to the left of or above the document can never be scrolled into view.
  const [x, y] = [Math.max(0, left + scrollX), Math.max(0, top + scrollY)]
  const [right, bottom] = [left + scrollX + width, top + scrollY + height]
  if (right <= x || bottom <= y) return { state: 'hidden' }
  return { state: 'visible', x, y, width: right - x, height: bottom - y }
}`

const MESSAGES = {
  missing: 'No element of the page matches the selector. Check it, or wait for the element with waitForSelector.',
  hidden: 'The element exists but is not visible. Select another one, or make it visible with click or styles.',
  empty: 'The element exists but has no width or no height. Select another one.',
}

/**
 * Finds an element, waits briefly for it to appear, and scrolls it into view.
 *
 * @throws  {PageError} `EELEMENT` with `missing`, `hidden` or `empty`; `EINVALQUERY` for an invalid selector.
 */
export async function findElementBox(
  page: OpenPage,
  selector: string,
  { waitLeftMs, signal }: { waitLeftMs: () => number; signal: AbortSignal },
): Promise<Box> {
  const graceEndsAt = performance.now() + GRACE_MS
  while (true) {
    const element = await runInPage<ElementState>(page, FIND_ELEMENT, selector)
    if (element.state === 'visible') return element
    if (element.state === 'invalid') throw invalidSelectorError('element')
    if (performance.now() >= graceEndsAt || waitLeftMs() <= 0)
      throw new PageError('EELEMENT', MESSAGES[element.state], { data: { element: element.state } })
    await sleep(POLL_MS, undefined, { signal })
  }
}
