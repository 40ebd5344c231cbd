import type { PageState } from '../../query/index.js'
import { judgePage, type PageObservation } from '../page-state/index.js'
import type { MainFrame } from './main-frame.js'
import { observePage, type ObservePageOptions } from './observe-page.js'
import type { OpenPage } from './open-page.js'
import type { Deadline } from './start-deadline.js'
import { waitForLoad } from './wait-for-load.js'
import { waitForQuiet } from './wait-for-quiet.js'
import { withinTime } from './within-time.js'

export interface WaitForContentOptions extends ObservePageOptions {
  deadline: Deadline
}

/** What may pass without anybody's help: a check that the browser solves, a page that has yet to be painted, or read its data. */
export type TemporaryState = 'bot-check' | 'blank' | 'error-page'

/** How long each is waited for at most. */
const MAX_WAIT_MS: Readonly<Record<TemporaryState, number>> = { 'bot-check': 8_000, blank: 5_000, 'error-page': 3_000 }
/** An error is final when the page has sent no requests for this long. */
const ERROR_QUIET_MS = 1_000
/** Before what appeared is captured. */
const CONTENT_QUIET_MS = 300
const POLL_MS = 250
const PREVIEW_SCALE = 0.1

export const isTemporary = (state: PageState | undefined): state is TemporaryState =>
  state !== undefined && state in MAX_WAIT_MS

/**
 * Waits until a page shows something else than before: another document, or a change of this one.
 *
 * @param seen  What the page showed; only its scripts can change that.
 * @returns     Whether it does within the time.
 */
export async function waitForContent(
  page: OpenPage,
  frame: MainFrame,
  state: TemporaryState,
  { seen, ...options }: WaitForContentOptions & { seen: Omit<PageObservation, 'pixels'> },
): Promise<boolean> {
  const { query, isTextOnly, deadline, signal } = options
  if (!seen.document.hasScripts || query.javascript === false) return false
  deadline.enterStage('wait')
  const startedAt = performance.now()
  const endsAt = startedAt + Math.min(MAX_WAIT_MS[state], deadline.waitLeftMs())
  const waitLeftMs = () => Math.max(0, endsAt - performance.now())
  // The document says too little of it where only the pixels are blank.
  const isBlankByPixels = state === 'blank' && !isTextOnly && judgeDocument(seen) !== state
  const preview = isBlankByPixels ? await readPreview(page, { timeoutMs: waitLeftMs(), signal }) : undefined
  const isFinal = () =>
    state === 'error-page' && performance.now() - startedAt >= ERROR_QUIET_MS && frame.isQuietFor(ERROR_QUIET_MS)

  while (waitLeftMs() > 0 && !isFinal()) {
    await frame.waitUntil(() => frame.isNavigating(), { timeoutMs: Math.min(POLL_MS, waitLeftMs()), signal })
    await waitForLoad(page, frame, { waitUntil: 'load', waitLeftMs, signal })
    if (frame.failure()) return true
    const limits = { timeoutMs: waitLeftMs(), signal }
    const observation = await observePage(page, frame, { ...options, ...limits })
    if (!observation || judgeDocument(observation) === state) continue
    const showsAsMuch = preview !== undefined && !hasMoreContent(observation, seen)
    if (showsAsMuch && (await readPreview(page, limits)) === preview) continue
    await waitForQuiet(page, frame, { waitLeftMs: deadline.waitLeftMs, signal, quietMs: CONTENT_QUIET_MS })
    return true
  }
  // What was there already may have been painted between its capture and the first preview.
  return isBlankByPixels && seen.document.textChars + seen.document.media.count > 0
}

const hasMoreContent = (now: Omit<PageObservation, 'pixels'>, before: Omit<PageObservation, 'pixels'>) =>
  now.document.textChars > before.document.textChars || now.document.media.count > before.document.media.count

const judgeDocument = (observation: Omit<PageObservation, 'pixels'>) => judgePage({ ...observation, pixels: undefined })

/** A small image of the viewport: equal pixels give equal bytes. `undefined` where the page does not respond in time. */
async function readPreview(
  { session }: OpenPage,
  limits: { timeoutMs: number; signal: AbortSignal },
): Promise<string | undefined> {
  try {
    return await withinTime(capturePreview(session), limits)
  } catch {
    limits.signal.throwIfAborted()
    return undefined
  }
}

async function capturePreview(session: OpenPage['session']): Promise<string> {
  const { cssLayoutViewport } = await session.send('Page.getLayoutMetrics')
  const { pageX: x, pageY: y, clientWidth: width, clientHeight: height } = cssLayoutViewport
  const clip = { x, y, width, height, scale: PREVIEW_SCALE }
  const { data } = await session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true, clip })
  return data
}
