import { emulate } from './emulation.js'
import { hideBanners } from './in-page/hide-banners.js'
import { interact } from './interact.js'
import { interceptRequests } from './intercept-requests.js'
import { runInPage } from './run-in-page.js'
import { assertLoaded, type Visit } from './visit.js'
import { waitForLoad, waitForScroll } from './wait-for-load.js'

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
