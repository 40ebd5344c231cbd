import { canParseUrl } from '../../query/written-url.js'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PageQuery } from '../../query/index.js'
import { quote } from '../quote.js'
import { readActivity, waitForFonts } from './in-page/page-scripts.js'
import { readPicture, type Picture } from './in-page/read-picture.js'
import { atMost } from './main-frame.js'
import type { RequestInFlight } from './network-activity.js'
import { watchForRest } from './rest.js'
import { runInPage } from './run-in-page.js'
import type { Visit } from './visit.js'

type WaitUntil = NonNullable<PageQuery['waitUntil']>

const NETWORK_IDLE_MS = 500
/** How long a page without requests is waited for, unless it has nothing to run. */
const DEFAULT_QUIET_MS = 40
/** What changes a document or shows another one. Scripts of a JSON type, such as JSON-LD, are data and never run. */
export const ACTIVE_CONTENT = 'script:not([type*=json i]), iframe, object, meta[http-equiv="refresh" i]'
/** Longest wait for a page whose picture never comes to rest, or whose visible images arrive bit by bit. */
const MAX_QUIET_WAIT_MS = 15_000

/**
 * Waits until the page has reached `waitUntil`, across client-side redirects, or until what it shows has been complete for so long
 * that the rest is not worth the wait, or until the time to wait is up. A navigation that fails ends the wait too.
 *
 * @returns  A sentence on what is missing; `undefined`: nothing that the caller wants.
 */
export async function waitForLoad(
  visit: Visit,
  waitUntil: WaitUntil,
  limitWait: () => number = visit.deadline.limitWait,
): Promise<string | undefined> {
  const { frame } = visit
  const event = waitUntil === 'domcontentloaded' ? 'DOMContentLoaded' : 'load'
  const isEnded = () => frame.failure() !== undefined || frame.isRestless()
  const hasLoaded = () => !frame.isNavigating() && frame.hasFired(event)
  while (true) {
    const picture = watchPicture(visit, waitUntil)
    try {
      const isBlocked = () => picture.blockers().some((url) => !visit.blockedUrls.has(url))
      const isOver = () => isEnded() || hasLoaded() || picture.isFinal() || isBlocked()
      if (!(await frame.waitUntil(isOver, limitWait))) return LATE
      if (isEnded()) return undefined
      if (!hasLoaded() && isBlocked()) {
        await reloadWithout(visit, picture.blockers(), limitWait)
        continue
      }
      const loaderId = frame.document()?.loaderId
      if (waitUntil === 'auto') await waitForQuiet(visit, { picture })
      if (waitUntil === 'networkidle') {
        const isIdle = () => frame.isQuietFor(NETWORK_IDLE_MS) || picture.isFinal()
        if (!(await frame.waitUntil(isIdle, limitWait))) return LATE
      }
      const isSameDocument = frame.document()?.loaderId === loaderId
      if (isEnded() || (isSameDocument && !frame.isNavigating())) return picture.missing()
    } finally {
      picture.stop()
    }
  }
}

/**
 * Loads the document again without style sheets and scripts that do not arrive. Chromium paints nothing of what comes after them, and
 * has no screenshot of a page that is not painted.
 */
async function reloadWithout(
  { page, frame, blockedUrls }: Visit,
  blockers: readonly string[],
  limitWait: () => number,
): Promise<void> {
  const loaderId = frame.document()?.loaderId
  for (const url of blockers) blockedUrls.add(url)
  await page.session.send('Network.setBlockedURLs', { urls: [...blockedUrls] })
  await page.session.send('Page.reload')
  await frame.waitUntil(() => frame.document()?.loaderId !== loaderId || frame.failure() !== undefined, limitWait)
}

/** Says what the current document lacks because the visit no longer loads it. */
export function warnOfBlocked({ frame, blockedUrls, warnings }: Visit): void {
  for (const url of frame.blockedRequests())
    if (blockedUrls.has(url)) warnings.add(`The page was loaded without ${quote(url)}, which did not arrive.`)
}

export const LATE = 'The page was still loading when its time was up; the result shows what had loaded by then.'

/**
 * Waits until fonts have loaded and no requests are in flight, until what the page shows is complete, or until another document is
 * on its way.
 *
 * @param quietMs  Milliseconds without requests. Default: 0 for a page that has nothing to run, 40 for any other.
 * @param picture  Is watched already.
 */
export async function waitForQuiet(
  visit: Visit,
  { quietMs, picture }: { quietMs?: number; picture?: PictureWatch } = {},
): Promise<string | undefined> {
  const { page, frame, deadline, signal } = visit
  const loaderId = frame.document()?.loaderId
  const isReplaced = () =>
    frame.isNavigating() || frame.document()?.loaderId !== loaderId || frame.failure() !== undefined
  const watch = picture ?? watchPicture(visit, 'auto')
  const isOver = () => isReplaced() || watch.isFinal()
  const remainingMs = atMost(MAX_QUIET_WAIT_MS, deadline.limitWait)
  try {
    const [{ hasPendingFonts, hasActiveContent }] = await Promise.all([
      runInPage(page, readActivity, ACTIVE_CONTENT),
      watchForRest(visit),
    ])
    if (hasPendingFonts) await waitUntilFontsLoad(visit, isOver, remainingMs)
    const neededMs = quietMs ?? (hasActiveContent ? DEFAULT_QUIET_MS : 0)
    await frame.waitUntil(() => isOver() || frame.isQuietFor(neededMs), remainingMs)
  } catch (error) {
    if (signal.aborted || !isReplaced()) throw error
  } finally {
    if (!picture) watch.stop()
  }
  return watch.missing()
}

async function waitUntilFontsLoad(
  { page, frame }: Visit,
  isOver: () => boolean,
  remainingMs: () => number,
): Promise<void> {
  let areReady = false
  const onReady = () => void (areReady = true)
  // Fails only when the document is replaced, which ends the wait too.
  runInPage(page, waitForFonts).then(onReady, onReady)
  await frame.waitUntil(() => areReady || isOver(), remainingMs)
}

/** Most pages have loaded by then, and are never looked at. */
const FIRST_LOOK_MS = 300
const LOOK_INTERVAL_MS = 200
const MAX_ELEMENTS = 5_000
const MAX_IMAGE_URLS = 200
/** A visible image of which nothing arrives for this long is stuck. */
const MAX_IMAGE_IDLE_MS = 10_000
/** Chromium shows text in another font by then. */
const MAX_FONT_IDLE_MS = 3_100
/** A style sheet or a script that blocks all painting is stuck when nothing of it arrives for this long. */
const MAX_BLOCKER_IDLE_MS = { ofSite: 6_000, ofOthers: 4_000 }
/** A script at the end of a document holds up less of it than one in the middle. */
const PARSED_SHARE = 0.9
/** What a page needs to show anything at all is stuck when nothing of it arrives for this long. */
const MAX_SHELL_IDLE_MS = 8_000

/** How long a picture has to stay the same, by what is still in flight that may change it. */
const STABLE_MS = { nothing: 400, scriptsOfOthers: 1_000, scripts: 1_500, any: 2_500 }
/** The same for a caller who has chosen what to wait for. */
const STABLE_BEFORE_GOAL_MS = 8_000
/** Tickers and carousels never come to rest: they are captured this long after the page has loaded, or after its document has. */
const MAX_UNSTABLE_MS = { load: 3_000, DOMContentLoaded: 8_000 }

/** What the page shows while it loads, in the viewport or wherever it is captured. */
export interface PictureWatch {
  /** Whether it shows all that is worth the wait, or will not show more. */
  isFinal(): boolean
  /** A sentence on what it lacks; `undefined`: nothing. */
  missing(): string | undefined
  /** What keeps the document, or the rest of it, from being painted, and does not arrive. */
  blockers(): string[]
  stop(): void
}

/**
 * Looks at the page now and then until `stop`. A picture is final once its images and the fonts of its texts are there, and it
 * has not changed for a while: whatever else the page still loads is invisible, belongs to others, or never ends.
 */
function watchPicture(visit: Visit, waitUntil: WaitUntil): PictureWatch {
  const stopping = new AbortController()
  let missing: string | undefined
  let blockers: string[] = []
  let isFinal = false
  const watch = async () => {
    const patience = createPatience(visit, waitUntil)
    await sleep(FIRST_LOOK_MS, undefined, { signal: stopping.signal })
    while (!isFinal && !stopping.signal.aborted) {
      const look = await lookAt(visit)
      blockers = look?.blockers ?? []
      if (look && patience.isUsedUp(look)) {
        missing = describeMissing(look, waitUntil)
        isFinal = true
      }
      await sleep(LOOK_INTERVAL_MS, undefined, { signal: stopping.signal })
    }
  }
  // Fails only when it is stopped.
  watch().catch(() => undefined)
  const stop = () => stopping.abort()
  return {
    isFinal: () => isFinal && !visit.frame.isNavigating(),
    missing: () => missing,
    blockers: () => blockers,
    stop,
  }
}

interface Look {
  loaderId: string
  picture: Picture
  /** What is in flight that may change the picture. */
  requests: RequestInFlight[]
  /** Visible images that do not arrive. */
  stuckImages: string[]
  blockers: string[]
  /** Whether it lacks something that is likely to arrive. */
  isIncomplete: boolean
}

/** `undefined` while a document is replaced, or cannot be read. */
async function lookAt({ page, frame, query }: Visit): Promise<Look | undefined> {
  const document = frame.document()
  if (!document || frame.isNavigating()) return undefined
  const inFlight = frame.requestsInFlight()
  const imageUrls = inFlight.filter(({ type }) => type === 'Image').map(({ url }) => url)
  const options = {
    imageUrls: imageUrls.slice(0, MAX_IMAGE_URLS),
    maxElements: MAX_ELEMENTS,
    isWhole: capturesBeyondViewport(query),
  }
  const picture = await runInPage(page, readPicture, options).catch(() => undefined)
  if (!picture || frame.document()?.loaderId !== document.loaderId) return undefined

  const isOfSite = (url: string) => isSameSite(url, document.url)
  const visible = [...picture.visibleImages, ...picture.unsizedImages.filter(isOfSite)]
  const isAlive = (urls: readonly string[]) =>
    inFlight.filter(({ url, type, idleMs }) => type === 'Image' && urls.includes(url) && idleMs < MAX_IMAGE_IDLE_MS)
  const requests = inFlight.filter((request) => mayChange(picture, request, page.frameId))
  const isWaitedFor = (type: RequestInFlight['type'], maxIdleMs: number) =>
    inFlight.some((request) => request.type === type && request.idleMs < maxIdleMs)
  const isPainted = frame.hasFired('firstContentfulPaint')
  const { parsedBytes } = picture
  const isHeldUp = parsedBytes !== undefined && (!isPainted || parsedBytes < frame.bodyBytes() * PARSED_SHARE)
  const isUnpainted = !isPainted && isWaitedFor('Stylesheet', MAX_SHELL_IDLE_MS)
  const isBlocker = ({ type, url, idleMs }: RequestInFlight) =>
    idleMs >= MAX_BLOCKER_IDLE_MS[isOfSite(url) ? 'ofSite' : 'ofOthers'] &&
    (type === 'Stylesheet' ? !isPainted : type === 'Script' && isHeldUp)
  const isShell = picture.isPlaceholder && requests.some(({ idleMs }) => idleMs < MAX_SHELL_IDLE_MS)
  return {
    loaderId: document.loaderId,
    picture,
    requests,
    stuckImages: visible.filter((url) => isAlive([url]).length === 0),
    blockers: requests.filter(isBlocker).map(({ url }) => url),
    isIncomplete:
      isAlive(visible).length > 0 ||
      (picture.hasPendingFontsInUse && isWaitedFor('Font', MAX_FONT_IDLE_MS)) ||
      isUnpainted ||
      (isHeldUp && isWaitedFor('Script', MAX_SHELL_IDLE_MS)) ||
      isShell,
  }
}

const capturesBeyondViewport = ({ screenshot, element }: PageQuery): boolean =>
  element !== undefined || (typeof screenshot === 'object' && Boolean(screenshot.fullPage || screenshot.clip))

/** Whether what is requested may change the picture; its images and fonts are known from the page itself. */
function mayChange(picture: Picture, { type, frameId, url }: RequestInFlight, mainFrameId: string): boolean {
  if (frameId !== undefined && frameId !== mainFrameId) return picture.hasVisibleFrame
  if (type === 'Image') return picture.unsizedImages.includes(url)
  return ['Document', 'Stylesheet', 'Script', 'Fetch', 'XHR'].includes(type)
}

/** Follows how long the picture has been complete and the same. */
function createPatience({ frame }: Visit, waitUntil: WaitUntil) {
  let reference: Look | undefined
  let stableSince = 0
  const reachedAt: Partial<Record<'load' | 'DOMContentLoaded', number>> = {}
  const hasBeenUnstable = (event: keyof typeof MAX_UNSTABLE_MS, now: number) => {
    if (frame.hasFired(event)) reachedAt[event] ??= now
    return now - (reachedAt[event] ?? Infinity) >= MAX_UNSTABLE_MS[event]
  }
  return {
    isUsedUp(look: Look): boolean {
      const now = performance.now()
      const isSame = reference?.loaderId === look.loaderId && looksAlike(reference.picture, look.picture)
      if (!isSame || look.isIncomplete) {
        reference = look
        stableSince = now
      }
      const isTooOld = [hasBeenUnstable('load', now), hasBeenUnstable('DOMContentLoaded', now)].includes(true)
      if (look.isIncomplete) return false
      if (waitUntil !== 'auto') return now - stableSince >= STABLE_BEFORE_GOAL_MS
      return isTooOld || now - stableSince >= stableMs(look, frame.document()!.url)
    },
  }
}

function stableMs({ requests }: Look, pageUrl: string): number {
  if (requests.length === 0) return STABLE_MS.nothing
  if (!requests.every(({ type }) => type === 'Script')) return STABLE_MS.any
  const isOfSite = requests.some(({ url }) => isSameSite(url, pageUrl))
  return isOfSite ? STABLE_MS.scripts : STABLE_MS.scriptsOfOthers
}

/** Whether the differences are those of a clock, a counter or a carousel, and not those of content that has arrived. */
const looksAlike = (before: Picture, now: Picture): boolean =>
  isNear(before.textChars, now.textChars, 20) &&
  isNear(before.mediaCount, now.mediaCount, 0.5) &&
  isNear(before.height, now.height, 50)

const isNear = (a: number, b: number, slack: number) => Math.abs(a - b) <= slack + Math.max(a, b) / 10

/** An approximation: the last two labels of the host, and all of an address. */
function isSameSite(url: string, pageUrl: string): boolean {
  if (!canParseUrl(url) || !canParseUrl(pageUrl)) return false
  const [host, pageHost] = [new URL(url).hostname, new URL(pageUrl).hostname]
  if (host === pageHost) return true
  const site = pageHost.split('.').slice(-2).join('.')
  return /[a-z]/.test(site) && (host === site || host.endsWith(`.${site}`))
}

function describeMissing({ stuckImages, requests }: Look, waitUntil: WaitUntil): string | undefined {
  if (stuckImages[0] !== undefined)
    return `An image did not arrive, so the result shows the page without it: ${quote(stuckImages[0])}.`
  if (waitUntil === 'auto') return undefined
  const example = requests[0] ? `, among other things ${quote(requests[0].url)}` : ''
  const seconds = STABLE_BEFORE_GOAL_MS / 1_000
  return `The page was still loading${example}; the result shows it after nothing visible had changed for ${seconds} seconds, before waitUntil=${waitUntil}.`
}
