import { isPageError, type PageError, type PageQuery, type PageState } from '../../query/index.js'
import { limitsOf, type EncodedScreenshot, type ImageType } from '../images/index.js'
import { MAX_HTML_CHARS } from '../page/index.js'
import { judgePage, OWN_METADATA, type PageObservation } from '../page-state/index.js'
import { withSpan } from '../tracing.js'
import { withinTime } from './abortable.js'
import { observeDocument } from './in-page/observe-document.js'
import { serializeDocument } from './in-page/page-scripts.js'
import { atMost } from './main-frame.js'
import type { Overlay } from './overlay.js'
import { runInPage } from './run-in-page.js'
import { prepareArea } from './screenshot-area.js'
import { screenshotSize, takeScreenshot, type Box, type RawScreenshot, type Size } from './take-screenshot.js'
import type { Visit, VisitReport } from './visit.js'
import { ACTIVE_CONTENT, assertLoaded, settleAgain, visitPage, waitForLoad, waitForQuiet } from './visit-page.js'

/** What a visit found out about a page. */
interface VisitedPage extends VisitReport {
  /** Final URL of the main frame, after redirects and client-side navigation. */
  url: string
  /** HTTP status of the document in the main frame. */
  statusCode: number
  /** What the page showed instead of its content; `undefined`: its content. */
  state: PageState | undefined
  /** Whether the time to wait for the page was used up before it was complete. */
  isCutShort: boolean
}

/** The document of a page after its scripts have run. */
export interface RenderedPage extends VisitedPage {
  /** Serialised; at most `MAX_HTML_CHARS` characters. */
  html: string
}

/** The screenshot of a page, encoded. */
export interface Capture extends VisitedPage {
  bytes: Uint8Array
  type: ImageType
  /** The image's own pixels. */
  width: number
  height: number
  /** `#rrggbb`: the most frequent colour along the edges of the image. */
  backgroundColor: string
  /** `#rrggbb`, most frequent first; only with `palette`. */
  palette?: string[]
  /** The document too, if it was needed. */
  html: string | undefined
}

/** States in which a page shows none of its content, and so none of its elements. `card-model.ts` has the same list. */
export const STATES_WITHOUT_CONTENT: readonly (PageState | undefined)[] = ['bot-check', 'error-page', 'login']

/** The outcome of one attempt. An element may be missing because the page does not show its content. */
type Attempt = {
  state: PageState | undefined
  /** `undefined` if the document was replaced during the capture, or could not be read. */
  observation: PageObservation | undefined
} & ({ capture: DocumentCapture } | Missing)

/** `EELEMENT` */
type Missing = { missing: PageError }

type DocumentCapture = Omit<Capture, keyof VisitReport | 'html'>

/**
 * Visits the page of a query and captures it: takes its screenshot and encodes it. A page that does not show its content is waited
 * for, and captured once more.
 *
 * @param needsHtml  See `Browser.capture`.
 * @throws           {PageError} for a problem of the page or the query; any other error is the browser's, and a new context may help.
 */
export async function capturePage(visit: Visit, needsHtml: () => boolean): Promise<Omit<Capture, keyof VisitReport>> {
  const { frame, deadline } = visit
  const [overlay] = await Promise.all([visit.overlay, visitPage(visit)])

  const { loaderId } = frame.document()!
  let attempt = await tryCapture(visit, overlay)
  if (await waitForOtherContent(visit, attempt, loaderId)) {
    await settleAgain(visit, loaderId)
    attempt = await tryCapture(visit, overlay)
  }
  const capture = 'missing' in attempt ? await captureWholePage(visit, overlay, attempt) : attempt.capture
  // The page may have stopped responding since.
  deadline.enterStage('wait')
  return { ...capture, html: needsHtml() ? await readDocument(visit) : undefined }
}

/**
 * Opens the page of a query without images, fonts and media, and serialises its document after its scripts have run. A page that
 * does not show its content gets more time once.
 *
 * @throws  {PageError} as `visitPage` does.
 */
export async function renderPage(visit: Visit): Promise<Omit<RenderedPage, keyof VisitReport>> {
  const { frame, deadline } = visit
  await visitPage(visit)
  const { loaderId } = frame.document()!
  let observation = await observePage(visit, true)
  let state = observation && judgePage(observation)
  if (observation && isTemporary(state) && (await waitForContent(visit, state, observation))) {
    await settleAgain(visit, loaderId)
    observation = await observePage(visit, true)
    state = observation && judgePage(observation)
  }
  const html = await readDocument(visit)
  const { url, statusCode } = frame.document()!
  return { html, url, statusCode, state, isCutShort: deadline.isCutShort() }
}

/** The document after its scripts have run, as HTML. */
const readDocument = ({ page }: Visit): Promise<string> => runInPage(page, serializeDocument, MAX_HTML_CHARS)

async function tryCapture(visit: Visit, overlay: Overlay | undefined): Promise<Attempt> {
  try {
    const { capture, observation } = await captureDocument(visit, overlay)
    return { state: capture.state, observation, capture }
  } catch (error) {
    if (!isPageError(error) || error.code !== 'EELEMENT') throw error
    const observation = await observePage(visit, false)
    return { state: observation && judgePage(observation), observation, missing: error }
  }
}

/** Waits for other content if some may appear. Resolves to whether the page shows something else now. */
async function waitForOtherContent(visit: Visit, { state, observation }: Attempt, loaderId: string): Promise<boolean> {
  if (visit.frame.document()?.loaderId !== loaderId) return true
  return observation !== undefined && isTemporary(state) && waitForContent(visit, state, observation)
}

/** Captures the whole page when its state explains why an element is missing. Throws the error otherwise. */
async function captureWholePage(
  visit: Visit,
  overlay: Overlay | undefined,
  { state, missing }: Attempt & Missing,
): Promise<DocumentCapture> {
  if (!STATES_WITHOUT_CONTENT.includes(state)) throw missing
  const query = { ...visit.query, element: undefined }
  const { capture } = await captureDocument({ ...visit, query }, overlay)
  if (!capture.state) throw missing
  return capture
}

/** Takes the screenshot of a document that has loaded, judges what it shows, and encodes it. Throws as `capturePage` does. */
async function captureDocument(
  visit: Visit,
  overlay: Overlay | undefined,
): Promise<{ capture: DocumentCapture; observation: PageObservation | undefined }> {
  const { frame, query, deadline, warnings } = visit
  const { type, omitBackground, fullPage } = screenshotOptions(query)
  const area = await prepareArea(visit)
  const isWhole = area === undefined || fullPage
  await assertLoaded(visit)
  const isCutShort = deadline.isCutShort()

  deadline.enterStage('screenshot')
  if (omitBackground && type === 'jpg')
    warnings.add('omitBackground has no effect, because jpg images cannot be transparent.')
  // At the same time, so that both are of the same document and neither waits for the other.
  const [observation, raw] = await Promise.all([observePage(visit, isWhole), takeScreenshotOf(visit, area, overlay)])
  await assertLoaded(visit)
  const { url, statusCode } = frame.document()!

  deadline.enterStage('encode')
  const encode = () => encodeImage(visit, raw, url, overlay)
  const { bytes, width, height, background, palette, pixels } = await withSpan('image.encode', encode)
  const capture = {
    bytes: bytes ?? raw.tiles[0]!,
    width,
    height,
    type,
    backgroundColor: background,
    ...(query.palette && { palette }),
    url,
    statusCode,
    state: observation && judgePage({ ...observation, pixels }),
    isCutShort,
  }
  return { capture, observation }
}

function screenshotOptions({ screenshot }: PageQuery) {
  const options = typeof screenshot === 'object' ? screenshot : {}
  const { type = 'jpg', quality = 80, fullPage = false, omitBackground = false } = options
  return { type, quality, fullPage, omitBackground }
}

async function takeScreenshotOf(
  { page, query, device, warnings }: Visit,
  area: Box | undefined,
  overlay: Overlay | undefined,
): Promise<RawScreenshot> {
  const { type, quality } = screenshotOptions(query)
  const { deviceScaleFactor } = device
  const size = screenshotSize(area ?? { x: 0, y: 0, ...device }, deviceScaleFactor)
  const raw = await takeScreenshot(page, {
    box: area,
    viewport: device,
    deviceScaleFactor,
    // With an overlay the image is encoded only after both have been composed.
    type: overlay ? 'png' : type,
    quality,
    limits: { ...limitsOf(type), overlay: overlay?.addedSize(size, deviceScaleFactor) },
  })
  if (raw.scale < 1) warnings.add(scaledWarning(type, size, raw.scale))
  return raw
}

function scaledWarning(type: ImageType, { width, height }: Size, scale: number): string {
  const percent = Math.round(scale * 1_000) / 10
  return `An image of ${width} × ${height} pixels exceeds the limits of ${type}; it was scaled to ${percent} %.`
}

async function encodeImage(
  { query, device, images, client, waiters, signal }: Visit,
  raw: RawScreenshot,
  url: string,
  overlay: Overlay | undefined,
): Promise<EncodedScreenshot> {
  const { type, quality, omitBackground } = screenshotOptions(query)
  const isTransparent = omitBackground && type !== 'jpg'
  const factor = device.deviceScaleFactor * raw.scale
  const layers = await overlay?.draw(raw, { factor, url, isTransparent })
  const options = { type, quality, maxHeight: limitsOf(type).maxSide, overlay: layers }
  return images.encodeScreenshot(raw, { ...options, client, waiters, signal })
}

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
}

/** States that may pass by themselves: a check that the browser solves, a page that is not painted or has no data yet. */
type TemporaryState = 'bot-check' | 'blank' | 'error-page'

/** The longest wait for each to pass. */
const MAX_WAIT_MS: Readonly<Record<TemporaryState, number>> = { 'bot-check': 8_000, blank: 5_000, 'error-page': 3_000 }
/** An error is final when the page has sent no requests for this long. */
const ERROR_QUIET_MS = 1_000
/** How long the network has to be quiet before new content is captured. */
const CONTENT_QUIET_MS = 300
const POLL_MS = 250
const THUMBNAIL_SCALE = 0.1

/**
 * What the page shows; `undefined` if its document is replaced, cannot be read, or does not respond in time.
 *
 * @param isWhole  Whether the result shows the page, and not a part of it.
 */
async function observePage(
  { page, frame, query, isTextOnly, signal }: Visit,
  isWhole: boolean,
  timeoutMs = OBSERVATION_TIMEOUT_MS,
): Promise<PageObservation | undefined> {
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

const isTemporary = (state: PageState | undefined): state is TemporaryState =>
  state !== undefined && state in MAX_WAIT_MS

/**
 * Waits until a page shows something else than before: another document, or a change of this one.
 *
 * @param previous  What the page showed before; only its scripts can change that.
 * @returns         Whether it showed something else within the time.
 */
async function waitForContent(visit: Visit, state: TemporaryState, previous: PageObservation): Promise<boolean> {
  const { frame, query, isTextOnly, deadline } = visit
  if (!previous.document.hasActiveContent || query.javascript === false) return false
  deadline.enterStage('wait')
  const startedAt = performance.now()
  const remainingMs = atMost(MAX_WAIT_MS[state], deadline.limitWait)
  const remainingWaitMs = () => Math.max(0, remainingMs())
  // If only the pixels are blank, the document does not show when that changes.
  const isBlankByPixels = state === 'blank' && !isTextOnly && judgePage(previous) !== state
  const thumbnail = isBlankByPixels ? await readThumbnail(visit, remainingWaitMs()) : undefined
  const isFinal = () =>
    state === 'error-page' && performance.now() - startedAt >= ERROR_QUIET_MS && frame.isQuietFor(ERROR_QUIET_MS)

  while (remainingWaitMs() > 0 && !isFinal()) {
    await frame.waitUntil(() => frame.isNavigating(), atMost(POLL_MS, remainingWaitMs))
    await waitForLoad(visit, 'load', remainingWaitMs)
    if (frame.failure()) return true
    const timeoutMs = remainingWaitMs()
    const observation = await observePage(visit, previous.isWhole, timeoutMs)
    if (!observation || judgePage(observation) === state) continue
    const showsAsMuch = thumbnail !== undefined && !hasMoreContent(observation, previous)
    if (showsAsMuch && (await readThumbnail(visit, timeoutMs)) === thumbnail) continue
    await waitForQuiet(visit, CONTENT_QUIET_MS)
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
