import { setTimeout as sleep } from 'node:timers/promises'
import { adoptSheet, centreElement, linkSheet, scrollToElement } from './in-page/page-scripts.js'
import { atMost } from './main-frame.js'
import { runInPage, runUnlessReplaced } from './run-in-page.js'
import { invalidSelectorError, type Visit } from './visit.js'
import { waitForLoad, waitForQuiet } from './wait-for-load.js'

const POLL_MS = 50
/** An element to click may appear this much later than the page has loaded. */
const GRACE_MS = 1_000
/** A click takes effect within this time, even on a page without scripts. */
const CLICK_QUIET_MS = 100
/** A style sheet is waited for this long even if the time to wait is up. */
const MIN_STYLE_TIMEOUT_MS = 100

/**
 * Performs the interactions of a query, in this order: styles, waitForSelector, click, waitForTimeout, scroll. One that fails is a
 * warning; the screenshot is taken all the same.
 *
 * @throws  {PageError} `EINVALQUERY` for an invalid selector.
 */
export async function interact(visit: Visit): Promise<void> {
  const { styles, waitForSelector, waitForTimeout, click, scroll } = visit.query
  for (const style of toList(styles)) await addStyle(visit, style.trim())
  if (waitForSelector !== undefined) await waitForElement(visit, waitForSelector)
  for (const selector of toList(click)) await clickElement(visit, selector)
  if (waitForTimeout !== undefined) await waitFor(visit, Number(waitForTimeout))
  if (scroll !== undefined) await scrollTo(visit, scroll)
}

const toList = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value

/** Adds CSS text, or a style sheet by its URL, which the page loads like its own: through the browser's proxy. */
async function addStyle({ page, frame, deadline, warnings }: Visit, style: string): Promise<void> {
  let isApplied: boolean | undefined
  const isUrl = /^https?:\/\/\S+$/i.test(style)
  const applying = isUrl ? runInPage(page, linkSheet, style) : runInPage(page, adoptSheet, style).then(() => true)
  applying.then(
    (result) => (isApplied = result),
    () => (isApplied = false),
  )
  const minimumMs = atMost(MIN_STYLE_TIMEOUT_MS, () => Infinity)
  await frame.waitUntil(
    () => isApplied !== undefined,
    () => Math.max(deadline.remainingWaitMs(), minimumMs()),
  )
  if (!isApplied) warnings.add(`styles: ${style} could not be loaded.`)
}

async function waitForElement(visit: Visit, selector: string): Promise<void> {
  const timeoutMs = visit.deadline.remainingWaitMs()
  const target = await findTarget(visit, { parameter: 'waitForSelector', selector, timeoutMs })
  if (!target) visit.warnings.add(`waitForSelector: no visible element matched ${selector} in time.`)
}

async function clickElement(visit: Visit, selector: string): Promise<void> {
  const { page, frame, warnings } = visit
  const target = await findTarget(visit, { parameter: 'click', selector, timeoutMs: GRACE_MS })
  if (!target) {
    warnings.add(`click: no visible element matches ${selector}.`)
    return
  }
  const { x, y } = target
  const button = { x, y, button: 'left', clickCount: 1 } as const
  await page.session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y })
  await page.session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...button })
  await page.session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...button })
  await waitForQuiet(visit, CLICK_QUIET_MS)
  const wasLink = frame.isNavigating()
  if (wasLink) await waitForLoad(visit, 'auto')
}

async function waitFor({ frame, deadline, warnings }: Visit, requestedMs: number): Promise<void> {
  const startedAt = performance.now()
  await frame.waitUntil(() => false, atMost(requestedMs, deadline.remainingWaitMs))
  if (performance.now() - startedAt < requestedMs)
    warnings.add('waitForTimeout was cut short to leave time for the screenshot.')
}

async function scrollTo(visit: Visit, selector: string): Promise<void> {
  const state = await runInPage(visit.page, scrollToElement, selector)
  if (state === 'invalid') throw invalidSelectorError('scroll')
  if (state === 'missing') visit.warnings.add(`scroll: no element matches ${selector}.`)
  else await waitForQuiet(visit)
}

/** Scrolls a visible element into view; `undefined` if none appears in time. */
async function findTarget(
  { page, deadline, signal }: Visit,
  { parameter, selector, timeoutMs }: { parameter: string; selector: string; timeoutMs: number },
): Promise<{ x: number; y: number } | undefined> {
  const remainingMs = atMost(timeoutMs, deadline.remainingWaitMs)
  while (true) {
    const target = await runUnlessReplaced(page, centreElement, selector)
    if (target?.state === 'invalid') throw invalidSelectorError(parameter)
    if (target?.state === 'found') return target
    if (remainingMs() <= 0) return undefined
    await sleep(POLL_MS, undefined, { signal })
  }
}
