import { setTimeout as sleep } from 'node:timers/promises'
import { PageError } from '../../query/index.js'
import type { OpenPage } from './open-page.js'
import { runInPage } from './run-in-page.js'

/** CSS pixels, from the top left corner of the document. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

type Finding = { state: 'invalid' | 'missing' | 'hidden' | 'empty' } | ({ state: 'visible' } & Box)

const POLL_MS = 50
/** How long an element may come after the page has settled. */
const GRACE_MS = 1_000

const FIND = `(selector) => {
  let element
  try { element = document.querySelector(selector) } catch { return { state: 'invalid' } }
  if (!element) return { state: 'missing' }
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return { state: 'hidden' }
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  const { left, top, width, height } = element.getBoundingClientRect()
  if (!width || !height) return { state: 'empty' }
  // What lies left of or above the document cannot be scrolled to, and so is never seen.
  const [x, y] = [Math.max(0, left + scrollX), Math.max(0, top + scrollY)]
  const [right, bottom] = [left + scrollX + width, top + scrollY + height]
  if (right <= x || bottom <= y) return { state: 'hidden' }
  return { state: 'visible', x, y, width: right - x, height: bottom - y }
}`

const SENTENCES = {
  missing: 'No element of the page matches. Check the selector, or wait for it with waitForSelector.',
  hidden: 'The element is there, but it is not shown. Choose another, or make it visible with click or styles.',
  empty: 'The element is there, but it has no width or no height. Choose another.',
}

/**
 * Finds an element and brings it into view, waiting a little for it to appear.
 *
 * @throws  {PageError} `EELEMENT` with `missing`, `hidden` or `empty`; `EINVALQUERY` for what is no selector.
 */
export async function elementBox(
  page: OpenPage,
  selector: string,
  { patienceMs, signal }: { patienceMs: () => number; signal: AbortSignal },
): Promise<Box> {
  const graceEnd = performance.now() + GRACE_MS
  while (true) {
    const finding = await runInPage<Finding>(page, FIND, selector)
    if (finding.state === 'visible') return finding
    if (finding.state === 'invalid') throw invalidSelector('element')
    if (performance.now() >= graceEnd || patienceMs() <= 0)
      throw new PageError('EELEMENT', SENTENCES[finding.state], { data: { element: finding.state } })
    await sleep(POLL_MS, undefined, { signal })
  }
}

export function invalidSelector(word: string): PageError {
  const reason = 'is not a CSS selector'
  return new PageError('EINVALQUERY', `${word} ${reason}.`, { data: { [word]: reason } })
}
