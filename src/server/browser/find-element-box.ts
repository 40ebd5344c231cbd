import { setTimeout as sleep } from 'node:timers/promises'
import { PageError } from '../../query/index.js'
import { invalidSelectorError } from './invalid-selector-error.js'
import type { OpenPage } from './open-page.js'
import { runUnlessReplaced } from './run-in-page.js'

/** CSS pixels, from the top left corner of the document. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

type ElementsState = { state: 'invalid' | 'missing' | 'hidden' | 'empty'; index: number } | ({ state: 'visible' } & Box)

/** The document is being replaced; the next poll examines the new one. */
const REPLACED = { state: 'missing', index: 0 } as const
const POLL_MS = 50
/** An element may appear this much later than the page has loaded. */
const GRACE_MS = 1_000

const FIND_ELEMENTS = `(selectors) => {
  // Content to the left of or above the document can never be scrolled into view.
  const edgesOf = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    return { x: Math.max(0, left + scrollX), y: Math.max(0, top + scrollY), right: right + scrollX, bottom: bottom + scrollY }
  }
  const elements = []
  for (const [index, selector] of selectors.entries()) {
    let element
    try { element = document.querySelector(selector) } catch { return { state: 'invalid', index } }
    if (!element) return { state: 'missing', index }
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return { state: 'hidden', index }
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const { width, height } = element.getBoundingClientRect()
    if (!width || !height) return { state: 'empty', index }
    const { x, y, right, bottom } = edgesOf(element)
    if (right <= x || bottom <= y) return { state: 'hidden', index }
    elements.push(element)
  }
  // Only now, because some elements move while others are scrolled into view.
  const edges = elements.map(edgesOf)
  const x = Math.min(...edges.map((box) => box.x))
  const y = Math.min(...edges.map((box) => box.y))
  const right = Math.max(...edges.map((box) => box.right))
  const bottom = Math.max(...edges.map((box) => box.bottom))
  return { state: 'visible', x, y, width: right - x, height: bottom - y }
}`

const MESSAGES = {
  missing: 'No element of the page matches the selector. Check it, or wait for the element with waitForSelector.',
  hidden: 'The element exists but is not visible. Select another one, or make it visible with click or styles.',
  empty: 'The element exists but has no width or no height. Select another one.',
}

/**
 * Finds the box around one or several elements, waits briefly for them to appear, and scrolls each into view.
 *
 * @throws  {PageError} `EELEMENT` with `missing`, `hidden` or `empty` for the first that fails; `EINVALQUERY` for an invalid selector.
 */
export async function findElementBox(
  page: OpenPage,
  element: string | readonly string[],
  { remainingWaitMs, signal }: { remainingWaitMs: () => number; signal: AbortSignal },
): Promise<Box> {
  const selectors = typeof element === 'string' ? [element] : element
  const graceEndsAt = performance.now() + GRACE_MS
  while (true) {
    const found = (await runUnlessReplaced<ElementsState>(page, FIND_ELEMENTS, selectors)) ?? REPLACED
    if (found.state === 'visible') return found
    const { state, index } = found
    if (state === 'invalid') throw invalidSelectorError(selectors === element ? `element.${index}` : 'element')
    if (performance.now() >= graceEndsAt || remainingWaitMs() <= 0)
      throw new PageError('EELEMENT', MESSAGES[state], {
        data: { element: state, ...(selectors === element && { selector: selectors[index]! }) },
      })
    await sleep(POLL_MS, undefined, { signal })
  }
}
