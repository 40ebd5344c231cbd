import type { PageState } from '../../query/index.js'
import { OPT_OUT_HEADER, OPT_OUT_NAME, parseOptOut, type OptOut } from '../page/index.js'
import { isUnfilled, judgePage, OWN_METADATA, type PageObservation } from '../page-state/index.js'
import { withinTime } from './abortable.js'
import { observeDocument } from './in-page/observe-document.js'
import { atMost } from './main-frame.js'
import { runInPage } from './run-in-page.js'
import { ACTIVE_CONTENT, waitForLoad, waitForQuiet } from './settle.js'
import type { Visit } from './visit.js'

/** It takes milliseconds, unless scripts keep the page busy. */
const OBSERVATION_TIMEOUT_MS = 3_000
const OBSERVATION = {
  maxNodes: 5_000,
  maxTextChars: 4_000,
  enoughChars: 4_100,
  maxHtmlChars: 50_000,
  maxCharsWithHtml: 2_500,
  maxElementsWithHtml: 1_000,
  activeContent: ACTIVE_CONTENT,
  ownMetadata: OWN_METADATA,
  optOut: `meta[name="${OPT_OUT_NAME}" i]`,
}

/**
 * States that may pass by themselves: a check that the browser solves, a page that is not painted or has no data yet, and a document
 * that is opened for its metadata alone, and not filled yet.
 */
type TemporaryState = 'bot-check' | 'blank' | 'error-page' | 'unfilled'

/** The longest wait for each to pass. */
const MAX_WAIT_MS: Readonly<Record<TemporaryState, number>> = {
  'bot-check': 8_000,
  blank: 5_000,
  'error-page': 3_000,
  unfilled: 5_000,
}
/** A state is final when the page has sent no requests for this long. */
const FINAL_QUIET_MS: Readonly<Partial<Record<TemporaryState, number>>> = { 'error-page': 1_000, unfilled: 1_500 }
/** How long the network has to be quiet before new content is captured. */
const CONTENT_QUIET_MS = 300
const POLL_MS = 250
const THUMBNAIL_SCALE = 0.1

/**
 * What the page shows; `undefined` if its document is replaced, cannot be read, or does not respond in time.
 *
 * @param isWhole  Whether the result shows the page, and not a part of it.
 */
export async function observePage(
  { page, frame, query, file, isTextOnly, signal }: Visit,
  isWhole: boolean,
  timeoutMs = OBSERVATION_TIMEOUT_MS,
): Promise<PageObservation | undefined> {
  // A file is its own content, whatever it says.
  if (file?.shown) return undefined
  const loaderId = frame.document()?.loaderId
  try {
    const reading = runInPage(page, observeDocument, { ...OBSERVATION, isTextOnly })
    const document = await withinTime(reading, { timeoutMs, signal })
    const loaded = frame.document()
    if (!loaded || loaded.loaderId !== loaderId) return undefined
    const { url, statusCode, headers } = loaded
    const hidesBanners = query.adblock !== false
    return { requestedUrl: query.url, url, statusCode, headers, document, isWhole, hidesBanners }
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

/** What the page does not want, as the browser sees it. */
export const optOutOf = ({ headers, document }: PageObservation): OptOut | undefined =>
  parseOptOut(headers[OPT_OUT_HEADER], document.optOut)

/** What may pass by itself, if a page shows anything like that. */
export function temporaryState(
  { isTextOnly }: Pick<Visit, 'isTextOnly'>,
  state: PageState | undefined,
  observation: PageObservation,
): TemporaryState | undefined {
  if (state === undefined) return isTextOnly && isUnfilled(observation) ? 'unfilled' : undefined
  return state === 'bot-check' || state === 'blank' || state === 'error-page' ? state : undefined
}

/**
 * Waits until a page shows something else than before: another document, or a change of this one.
 *
 * @param previous  What the page showed before; only its scripts can change that.
 * @returns         Whether it showed something else within the time.
 */
export async function waitForContent(visit: Visit, state: TemporaryState, previous: PageObservation): Promise<boolean> {
  const { frame, query, isTextOnly, deadline } = visit
  if (!previous.document.hasActiveContent || query.javascript === false) return false
  deadline.enterStage('wait')
  const startedAt = performance.now()
  const remainingMs = atMost(MAX_WAIT_MS[state], deadline.limitWait)
  const remainingWaitMs = () => Math.max(0, remainingMs())
  // If only the pixels are blank, the document does not show when that changes.
  const isBlankByPixels = state === 'blank' && !isTextOnly && judgePage(previous) !== state
  const thumbnail = isBlankByPixels ? await readThumbnail(visit, remainingWaitMs()) : undefined
  const finalMs = FINAL_QUIET_MS[state] ?? Infinity
  const isFinal = () => performance.now() - startedAt >= finalMs && frame.isQuietFor(finalMs)
  const isSame = (now: PageObservation) =>
    state === 'unfilled' ? isUnfilled(now) && now.document.title === previous.document.title : judgePage(now) === state

  while (remainingWaitMs() > 0 && !isFinal()) {
    await frame.waitUntil(() => frame.isNavigating(), atMost(POLL_MS, remainingWaitMs))
    await waitForLoad(visit, 'load', remainingWaitMs)
    if (frame.failure()) return true
    const timeoutMs = remainingWaitMs()
    const observation = await observePage(visit, previous.isWhole, timeoutMs)
    if (!observation || isSame(observation)) continue
    const showsAsMuch = thumbnail !== undefined && !hasMoreContent(observation, previous)
    if (showsAsMuch && (await readThumbnail(visit, timeoutMs)) === thumbnail) continue
    await waitForQuiet(visit, { quietMs: CONTENT_QUIET_MS })
    return true
  }
  // The existing content may have been painted between its capture and the first thumbnail.
  return isBlankByPixels && previous.document.textChars + previous.document.media.count > 0
}

const hasMoreContent = (now: PageObservation, before: PageObservation) =>
  now.document.textChars > before.document.textChars || now.document.media.count > before.document.media.count

/** A small screenshot of the viewport: equal pixels result in equal bytes. `undefined` if the page does not respond in time. */
async function readThumbnail({ page, signal }: Visit, timeoutMs: number): Promise<string | undefined> {
  const takeThumbnail = async () => {
    const { cssLayoutViewport } = await page.session.send('Page.getLayoutMetrics')
    const { pageX: x, pageY: y, clientWidth: width, clientHeight: height } = cssLayoutViewport
    const clip = { x, y, width, height, scale: THUMBNAIL_SCALE }
    const { data } = await page.session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true, clip })
    return data
  }
  try {
    return await withinTime(takeThumbnail(), { timeoutMs, signal })
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}
