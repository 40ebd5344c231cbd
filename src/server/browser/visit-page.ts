import { setTimeout as sleep } from 'node:timers/promises'
import { invalidParameter } from '../../query/help/index.js'
import { isPageError, PageError } from '../../query/index.js'
import { TransientError } from '../jobs/index.js'
import { notAllowedError } from '../network/index.js'
import { quote } from '../quote.js'
import { BrowserUnavailableError } from './running-browser.js'
import { emulate } from './emulation.js'
import { adoptSheet, linkSheet, scrollPosition, scrollToTarget, waitForPaint } from './in-page/page-scripts.js'
import { hideLateOverlays, hideOverlays } from './hide-overlays.js'
import { interceptRequests } from './intercept-requests.js'
import { atMost, type FailedNavigation } from './main-frame.js'
import { edgesOf, searchElement } from './page-elements.js'
import { waitForRest } from './rest.js'
import { runInPage } from './run-in-page.js'
import { LATE, waitForLoad, waitForQuiet, warnOfBlocked } from './settle.js'
import { isPictureOfFile, showFile, warnOfFile } from './show-file.js'
import type { Visit } from './visit.js'

const POLL_MS = 50
/** An element may appear this much later than the page has loaded. */
export const ELEMENT_GRACE_MS = 1_000
/** How long a navigation may take that the page begins by script. */
const MAX_NAVIGATION_MS = 10_000
/** Time for a capture once a navigation was stopped. */
const LAST_STEPS_MS = 2_500
const NAVIGATION_POLL_MS = 250
/** A page that has stopped loading is painted within this time, unless it has nothing to show. */
const MAX_PAINT_MS = 500
/** A click takes effect within this time, even on a page without scripts. */
const CLICK_QUIET_MS = 100
/** A style sheet is waited for this long even if the time to wait is up. */
const MIN_STYLE_TIMEOUT_MS = 100

/**
 * Navigates to the URL of the query, and waits for its document.
 *
 * @throws  {PageError} for a problem of the page or the query; any other error is the browser's.
 */
export async function openDocument(visit: Visit): Promise<void> {
  const { deadline, openSparePage } = visit
  deadline.enterStage('navigate')
  await Promise.all([emulate(visit), interceptRequests(visit)])
  await navigate(visit)
  await showFile(visit)
  await assertLoaded(visit)
  deadline.enterStage('wait')
  limitNavigations(visit)
  openSparePage()
}

/**
 * Stops navigations of the page that get no response, until the visit ends. While one is pending, Chromium holds back all calls that
 * concern the document.
 */
function limitNavigations(visit: Visit): void {
  const { frame, deadline, warnings, signal } = visit
  let url: string | undefined
  let startedAt = 0
  const timer = setInterval(() => {
    const pending = frame.pending()
    if (pending?.url !== url) {
      url = pending?.url
      startedAt = performance.now()
    }
    const isStuck = performance.now() - startedAt >= MAX_NAVIGATION_MS || deadline.remainingMs() < LAST_STEPS_MS
    if (!pending || !isStuck) return
    warnings.add(`The page went on to ${quote(pending.url)}, which did not respond; the result shows the page before.`)
    void sendStop(visit)
  }, NAVIGATION_POLL_MS)
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
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

/**
 * Waits until the document has loaded, and performs the query's interactions on it; not again on a document that has been settled.
 *
 * @throws  {PageError} as `openDocument` does.
 */
export async function settlePage(visit: Visit): Promise<void> {
  const { page, frame, deadline, isTextOnly, warnings } = visit
  deadline.enterStage('wait')
  await waitForNavigation(visit)
  if (isSettled(visit)) {
    await assertLoaded(visit)
    await waitForRest(visit)
    return hideLateOverlays(visit)
  }
  // Those about the previous document no longer apply.
  warnings.clear()
  await settleDocument(visit)
  if (!isTextOnly) await waitForScroll(visit)
  await interact(visit)
  const hasRested = await comeToRest(visit)
  const hasWaited = hasRested || (visit.query.waitForSelector ?? visit.query.waitForTimeout) !== undefined
  if (hasWaited) await hideLateOverlays(visit)
  if (page.isOverBudget())
    warnings.add('The page exceeded the network limit of a capture; the result shows what had loaded by then.')
  visit.settledLoaderId = frame.document()?.loaderId
}

/** A caller who has chosen a moment gets that one. */
const comeToRest = async (visit: Visit): Promise<boolean> => {
  const { waitUntil = 'auto', waitForTimeout } = visit.query
  return waitUntil === 'auto' && waitForTimeout === undefined && waitForRest(visit)
}

const isSettled = ({ frame, settledLoaderId }: Visit): boolean =>
  settledLoaderId !== undefined && settledLoaderId === frame.document()?.loaderId

/** Waits until a settled document is replaced, or stays: a download, or a response without content, replaces nothing. */
async function waitForNavigation(visit: Visit): Promise<void> {
  const { frame, deadline, warnings } = visit
  const isOver = () => !isSettled(visit) || !frame.isNavigating() || frame.failure() !== undefined
  if (await frame.waitUntil(isOver, deadline.limitWait)) return
  warnings.add(LATE)
  await stopLoading(visit)
}

async function settleDocument(visit: Visit): Promise<void> {
  const missing = await waitForLoad(visit, visit.query.waitUntil ?? 'auto')
  if (missing !== undefined) visit.warnings.add(missing)
  if (missing === LATE) await stopLoading(visit)
  const { endedEarly } = visit.frame.document() ?? {}
  if (endedEarly) visit.warnings.add(`The page ended early (${endedEarly}); the result shows what had arrived.`)
  warnOfBlocked(visit)
  await assertLoaded(visit)
  await hideOverlays(visit)
}

/** Chromium holds back all calls while a navigation is pending, and has no screenshot of a page that is not painted. */
async function stopLoading(visit: Visit): Promise<void> {
  await sendStop(visit)
  await visit.frame.waitUntil(
    () => visit.frame.hasFired('firstContentfulPaint'),
    atMost(MAX_PAINT_MS, () => Infinity),
  )
}

/** Chromium refuses while one document takes the place of another. When the page is gone, whatever is asked of it next fails. */
const sendStop = ({ page }: Visit): Promise<unknown> => page.session.send('Page.stopLoading').catch(() => undefined)

/** Chromium searches the text of a fragment again half a second after the page has loaded, and only then gives up. */
const SEARCH_MS = 800
/** Longest wait for a page that scrolls smoothly. */
const MAX_SCROLL_MS = 2_000

/** Waits until Chromium has scrolled to what the hash of the URL names: an element, or `:~:text=…`. */
async function waitForScroll(visit: Visit): Promise<void> {
  const { page, frame, deadline, signal } = visit
  const { hash } = new URL(frame.document()!.url)
  if (!hash) return
  const searchEndsAt = performance.now() + (hash.includes(':~:') ? SEARCH_MS : 0)
  const endsAt = performance.now() + MAX_SCROLL_MS
  let previous: { left: number; top: number } | undefined
  while (performance.now() < endsAt && deadline.limitWait() > 0) {
    const position = await runInPage(page, scrollPosition)
    const isAtStart = position.left === 0 && position.top === 0
    const isSearching = isAtStart && performance.now() < searchEndsAt
    const hasStopped = position.left === previous?.left && position.top === previous.top
    previous = position
    if (hasStopped && !isSearching) {
      if (!(await runInPage(page, scrollToTarget))) return
      // What comes into sight there may load, and move it again.
      await waitForQuiet(visit)
      continue
    }
    await sleep(POLL_MS, undefined, { signal })
  }
}

/**
 * Performs the interactions of a query, in this order: styles, waitForSelector, click, waitForTimeout, scroll. One that fails is a
 * warning, because the screenshot still shows the requested page. A missing `element` is an error, `EELEMENT`, because nothing of what
 * was requested is left to show.
 *
 * @throws  {PageError} `EINVALQUERY` for an invalid selector.
 */
async function interact(visit: Visit): Promise<void> {
  if (isPictureOfFile(visit)) return warnOfFile(visit)
  const { waitForSelector, waitForTimeout, click, scroll } = visit.query
  await addStyles(visit)
  if (waitForSelector !== undefined) await settleNext(visit, () => waitForElement(visit, waitForSelector))
  for (const selector of toList(click)) await settleNext(visit, () => clickElement(visit, selector))
  if (waitForTimeout !== undefined) await settleNext(visit, () => waitFor(visit, Number(waitForTimeout)))
  if (scroll !== undefined) await settleNext(visit, () => scrollTo(visit, scroll))
}

/**
 * Performs an interaction. A click, or a script meanwhile, may lead to another document, which then gets ready for the next
 * interaction: a banner would be in the way of a click.
 */
async function settleNext(visit: Visit, interaction: () => Promise<void>): Promise<void> {
  const { frame } = visit
  const loaderId = frame.document()?.loaderId
  await interaction()
  if (!frame.isNavigating() && frame.document()?.loaderId === loaderId) return
  await settleDocument(visit)
  if (frame.document()?.loaderId !== loaderId) await addStyles(visit)
}

const toList = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value

async function addStyles(visit: Visit): Promise<void> {
  for (const style of toList(visit.query.styles)) await addStyle(visit, style.trim())
}

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
    // Within its minimum, nothing is shortened.
    () => (minimumMs() > 0 ? minimumMs() : deadline.limitWait()),
  )
  // A constructed style sheet ignores it.
  if (isApplied && !isUrl && /@import\s/i.test(style))
    warnings.add('styles: @import has no effect. Pass the URL of the style sheet as a value of styles.')
  if (isApplied) return
  const problem = isUrl
    ? `${quote(style)} could not be loaded`
    : `the CSS that begins with ${quote(style)} could not be applied`
  warnings.add(`styles: ${problem}.`)
}

async function waitForElement(visit: Visit, selector: string): Promise<void> {
  const target = await findTarget(visit, { parameter: 'waitForSelector', selector, timeoutMs: Infinity })
  if (!target) visit.warnings.add(`waitForSelector: no visible element matched ${quote(selector)} in time.`)
}

async function clickElement(visit: Visit, selector: string): Promise<void> {
  const { page, warnings } = visit
  const target = await findTarget(visit, { parameter: 'click', selector, timeoutMs: ELEMENT_GRACE_MS })
  if (!target) {
    warnings.add(`click: no visible element matches ${quote(selector)}.`)
    return
  }
  const { x, y } = target
  const button = { x, y, button: 'left', clickCount: 1 } as const
  await page.session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y })
  await page.session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...button })
  await page.session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...button })
  // Ends as soon as a form has scheduled its navigation, whose request follows a little later.
  await waitForQuiet(visit, { quietMs: CLICK_QUIET_MS })
  await waitForQuiet(visit, { quietMs: CLICK_QUIET_MS })
}

async function waitFor({ frame, deadline, warnings }: Visit, requestedMs: number): Promise<void> {
  const startedAt = performance.now()
  await frame.waitUntil(() => false, atMost(requestedMs, deadline.limitWait))
  if (performance.now() - startedAt < requestedMs)
    warnings.add('waitForTimeout was cut short to leave time for the screenshot.')
}

async function scrollTo(visit: Visit, selector: string): Promise<void> {
  const search = await searchElement(visit, selector, 'scroll')()
  if (search.state === 'invalid') throw invalidSelector('scroll')
  if (search.state === 'found' && search.element.frame.parent) await edgesOf(search.element, true)
  if (search.state !== 'found') {
    visit.warnings.add(`scroll: no element matches ${quote(selector)}.`)
    return
  }
  // What observes its place in the viewport requests something only then.
  if (visit.query.javascript !== false) await runInPage(visit.page, waitForPaint)
  await waitForQuiet(visit)
}

/** Scrolls a visible element into view; `undefined` if none appears in time. @returns The centre of what is visible of it. */
async function findTarget(
  visit: Visit,
  { parameter, selector, timeoutMs }: { parameter: string; selector: string; timeoutMs: number },
): Promise<{ x: number; y: number } | undefined> {
  const remainingMs = atMost(timeoutMs, visit.deadline.limitWait)
  const find = searchElement(visit, selector, 'click')
  while (true) {
    const isLast = remainingMs() <= 0
    const search = await find(isLast)
    if (search.state === 'invalid') throw invalidSelector(parameter)
    const edges = search.state === 'found' ? await edgesOf(search.element, true) : undefined
    if (edges) return { x: (edges.left + edges.right) / 2, y: (edges.top + edges.bottom) / 2 }
    if (isLast) return undefined
    await sleep(POLL_MS, undefined, { signal: visit.signal })
  }
}

/** @param parameter  Whose value is not a selector. */
export const invalidSelector = (parameter: string): PageError => invalidParameter(parameter, 'is not a CSS selector')

/** @throws {PageError} the reason why the main frame has no document, or `EFORBIDDENURL` if the host of its document is not allowed. */
export async function assertLoaded({ frame, guard, allowedHosts, signal }: Visit): Promise<void> {
  const failure = frame.failure()
  if (failure) throw await navigationError(failure, { guard, signal })
  const { protocol, host, href } = new URL(frame.document()?.url ?? 'about:blank')
  if (protocol.startsWith('http') && allowedHosts?.allows(href) === false) throw notAllowedError(host)
}

/**
 * Why the main frame has no document: the guard's reason, if it refuses the URL, or else Chromium's.
 *
 * @returns  `PageError`, or `BrowserUnavailableError` if the browser cannot reach the proxy of its page.
 */
async function navigationError(
  failure: FailedNavigation,
  { guard, signal }: Pick<Visit, 'guard' | 'signal'>,
): Promise<Error> {
  try {
    await guard.check(failure.url, { signal })
  } catch (error) {
    if (isPageError(error)) return error
    throw error
  }
  return chromiumError(failure)
}

function chromiumError({ url, reason, statusCode }: FailedNavigation): Error {
  // The guard has just resolved the name that the proxy could not resolve.
  const isTransient = /^(ETIMEOUT|EINVALURL|EBUSY)$/.test(reason)
  const cause = new (isTransient ? TransientError : Error)(`${reason} at ${url}`)
  const { host } = new URL(url)
  switch (reason) {
    case 'EFORBIDDENURL':
      return new PageError('EFORBIDDENURL', `${host} may not be fetched. Use the URL of a public page.`, { cause })
    case 'ETOOLARGE':
      return new PageError(
        'ETOOLARGE',
        `${host} was not fetched, because the page had used up what a capture may load.`,
        {
          cause,
        },
      )
    case 'EBUSY':
      return new PageError('EBUSY', `${host} could not be looked up in time. Try again in a few seconds.`, {
        cause,
        retryAfterMs: 2_000,
      })
    case 'EINVALURL':
      return new PageError('EINVALURL', `${host} could not be resolved. Check the URL, or try again later.`, { cause })
    case 'ETIMEOUT':
    case 'net::ERR_TIMED_OUT':
    case 'net::ERR_CONNECTION_TIMED_OUT':
      return new PageError('ETIMEOUT', `${host} did not respond in time. Try again later.`, { cause })
    case 'net::ERR_PROXY_CONNECTION_FAILED':
      return new BrowserUnavailableError('The browser cannot reach the egress proxy of its page.', 0, { cause })
    case 'net::ERR_TOO_MANY_REDIRECTS':
      return new PageError('EMAXREDIRECTS', `${host} redirects too many times, at last to ${quote(url)}.`, { cause })
    case 'net::ERR_ABORTED':
      return unreachable(
        statusCode === 204 || statusCode === 205
          ? `${host} responded with status ${statusCode}, which has no page. Use the URL of a page.`
          : `${host} sent a file to download instead of a page. Use the URL of a page.`,
        cause,
      )
    default:
      if (statusCode !== undefined)
        return unreachable(`${host} responded, but its page cannot be read (${reason}). Try again later.`, cause)
      if (/^net::ERR_(CERT|SSL|BAD_SSL)/.test(reason))
        return unreachable(`The connection to ${host} is not secure (${reason}). Check its certificate.`, cause)
      return unreachable(`${host} cannot be reached (${reason}). Check the URL, or try again later.`, cause)
  }
}

const unreachable = (message: string, cause: Error) => new PageError('EUNREACHABLE', message, { cause })
