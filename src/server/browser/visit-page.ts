import { setTimeout as sleep } from 'node:timers/promises'
import { emulate } from './emulation.js'
import { hideBanners } from './in-page/hide-banners.js'
import { adoptSheet, centreElement, linkSheet, scrollToElement } from './in-page/page-scripts.js'
import { interceptRequests } from './intercept-requests.js'
import { atMost } from './main-frame.js'
import { runInPage, runUnlessReplaced } from './run-in-page.js'
import { assertLoaded, invalidSelectorError, type Visit } from './visit.js'
import { waitForLoad, waitForQuiet, waitForScroll } from './wait-for-load.js'

const POLL_MS = 50
/** An element to click may appear this much later than the page has loaded. */
const GRACE_MS = 1_000
/** A click takes effect within this time, even on a page without scripts. */
const CLICK_QUIET_MS = 100
/** A style sheet is waited for this long even if the time to wait is up. */
const MIN_STYLE_TIMEOUT_MS = 100

/**
 * Navigates to the URL of the query, waits until the page has loaded, and performs the query's interactions.
 *
 * @throws  {PageError} for a problem of the page or the query; any other error is the browser's.
 */
export async function visitPage(visit: Visit): Promise<void> {
  const { deadline, openSparePage } = visit
  deadline.enterStage('navigate')
  await Promise.all([emulate(visit), interceptRequests(visit)])
  await navigate(visit)
  await assertLoaded(visit)

  deadline.enterStage('wait')
  openSparePage()
  await settlePage(visit)
}

/**
 * Resolves when the first document has arrived or the navigation has failed.
 *
 * The query's `referer` is not the navigation's referrer, which Chromium would send to every origin that the page redirects
 * to; `interceptRequests` adds it to requests of the page's own origin.
 */
async function navigate({ page, frame, query }: Visit): Promise<void> {
  // The browser responds to the command only when the server has.
  await page.session.send('Page.navigate', { url: query.url })
  await frame.waitUntil(() => frame.document() !== undefined || frame.failure() !== undefined)
}

/** Waits until the document has loaded, and performs the query's interactions on it. Throws as `visitPage` does. */
async function settlePage(visit: Visit): Promise<void> {
  const { page, query, isTextOnly, warnings } = visit
  if (!(await waitForLoad(visit, query.waitUntil ?? 'auto')))
    warnings.add('The page was still loading when its time was up; the result shows what had loaded by then.')
  await assertLoaded(visit)
  await hideBannersOf(visit)
  if (!isTextOnly) await waitForScroll(visit)
  await interact(visit)
  if (page.isOverBudget())
    warnings.add('The page exceeded the network limit of a capture; the result shows what had loaded by then.')
}

async function hideBannersOf({ page, frame, adBlocker }: Visit): Promise<void> {
  if (adBlocker) await runInPage(page, hideBanners, adBlocker.selectorsFor(frame.document()!.url))
}

/**
 * Brings the page into the state that is captured, after it has changed. Throws as `visitPage` does.
 *
 * @param loaderId  Of the document before.
 */
export async function settleAgain(visit: Visit, loaderId: string): Promise<void> {
  const isReplaced = visit.frame.document()?.loaderId !== loaderId
  // Warnings about the previous document no longer apply.
  if (isReplaced) visit.warnings.clear()
  await assertLoaded(visit)
  if (isReplaced) await settlePage(visit)
  else await hideBannersOf(visit)
}

/**
 * Performs the interactions of a query, in this order: styles, waitForSelector, click, waitForTimeout, scroll. One that fails is a
 * warning; the screenshot is taken all the same.
 *
 * @throws  {PageError} `EINVALQUERY` for an invalid selector.
 */
async function interact(visit: Visit): Promise<void> {
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
