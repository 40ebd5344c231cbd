import type { PageState } from '../../query/index.js'
import { judgePage, type PageObservation } from '../page-state/index.js'
import type { MainFrame } from './main-frame.js'
import { observePage, type ObservePageOptions } from './observe-page.js'
import type { OpenPage } from './open-page.js'
import type { Deadline } from './start-deadline.js'
import { atMost } from './wait-for-condition.js'
import { waitForLoad } from './wait-for-load.js'
import { waitForQuiet } from './wait-for-quiet.js'
import { withinTime } from './within-time.js'

export interface WaitForContentOptions extends ObservePageOptions {
  deadline: Deadline
}

/** States that may pass by themselves: a check that the browser solves, a page that is not painted or has no data yet. */
export type TemporaryState = 'bot-check' | 'blank' | 'error-page'

/** The longest wait for each to pass. */
const MAX_WAIT_MS: Readonly<Record<TemporaryState, number>> = { 'bot-check': 8_000, blank: 5_000, 'error-page': 3_000 }
/** An error is final when the page has sent no requests for this long. */
const ERROR_QUIET_MS = 1_000
/** How long the network has to be quiet before new content is captured. */
const CONTENT_QUIET_MS = 300
const POLL_MS = 250
const THUMBNAIL_SCALE = 0.1

export const isTemporary = (state: PageState | undefined): state is TemporaryState =>
  state !== undefined && state in MAX_WAIT_MS

/**
 * Waits until a page shows something else than before: another document, or a change of this one.
 *
 * @param previous  What the page showed before; only its scripts can change that.
 * @returns         Whether it showed something else within the time.
 */
export async function waitForContent(
  page: OpenPage,
  frame: MainFrame,
  state: TemporaryState,
  { previous, ...options }: WaitForContentOptions & { previous: PageObservation },
): Promise<boolean> {
  const { query, isTextOnly, deadline, signal } = options
  if (!previous.document.hasScripts || query.javascript === false) return false
  deadline.enterStage('wait')
  const startedAt = performance.now()
  const remainingMs = atMost(MAX_WAIT_MS[state], deadline.remainingWaitMs)
  const remainingWaitMs = () => Math.max(0, remainingMs())
  // Where only the pixels are blank, the document does not show when that changes.
  const isBlankByPixels = state === 'blank' && !isTextOnly && judgePage(previous) !== state
  const thumbnail = isBlankByPixels ? await readThumbnail(page, { timeoutMs: remainingWaitMs(), signal }) : undefined
  const isFinal = () =>
    state === 'error-page' && performance.now() - startedAt >= ERROR_QUIET_MS && frame.isQuietFor(ERROR_QUIET_MS)

  while (remainingWaitMs() > 0 && !isFinal()) {
    await frame.waitUntil(() => frame.isNavigating(), { remainingMs: atMost(POLL_MS, remainingWaitMs), signal })
    await waitForLoad(page, frame, { waitUntil: 'load', remainingWaitMs, signal })
    if (frame.failure()) return true
    const limits = { timeoutMs: remainingWaitMs(), signal }
    const observation = await observePage(page, frame, { ...options, ...limits })
    if (!observation || judgePage(observation) === state) continue
    const showsAsMuch = thumbnail !== undefined && !hasMoreContent(observation, previous)
    if (showsAsMuch && (await readThumbnail(page, limits)) === thumbnail) continue
    await waitForQuiet(page, frame, { remainingWaitMs: deadline.remainingWaitMs, signal, quietMs: CONTENT_QUIET_MS })
    return true
  }
  // The existing content may have been painted between its capture and the first thumbnail.
  return isBlankByPixels && previous.document.textChars + previous.document.media.count > 0
}

const hasMoreContent = (now: PageObservation, before: PageObservation) =>
  now.document.textChars > before.document.textChars || now.document.media.count > before.document.media.count

/** A small image of the viewport: equal pixels result in equal bytes. `undefined` where the page does not respond in time. */
async function readThumbnail(
  { session }: OpenPage,
  limits: { timeoutMs: number; signal: AbortSignal },
): Promise<string | undefined> {
  try {
    return await withinTime(captureThumbnail(session), limits)
  } catch {
    limits.signal.throwIfAborted()
    return undefined
  }
}

async function captureThumbnail(session: OpenPage['session']): Promise<string> {
  const { cssLayoutViewport } = await session.send('Page.getLayoutMetrics')
  const { pageX: x, pageY: y, clientWidth: width, clientHeight: height } = cssLayoutViewport
  const clip = { x, y, width, height, scale: THUMBNAIL_SCALE }
  const { data } = await session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true, clip })
  return data
}
