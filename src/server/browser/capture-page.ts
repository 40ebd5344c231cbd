import { isPageError, type PageError, type PageQuery, type PageState } from '../../query/index.js'
import { maxPixelsOf, type EncodedScreenshot, type ImageType } from '../images/index.js'
import { judgePage, type PageObservation } from '../page-state/index.js'
import { withSpan } from '../tracing.js'
import { serializeDocument } from './in-page/page-scripts.js'
import type { Overlay } from './overlay.js'
import { runInPage } from './run-in-page.js'
import { prepareArea } from './screenshot-area.js'
import { screenshotSize, takeScreenshot, type Box, type RawScreenshot, type Size } from './take-screenshot.js'
import { assertLoaded, type Capture, type RenderedPage, type Visit, type VisitReport } from './visit.js'
import { settleAgain, visitPage } from './visit-page.js'
import { isTemporary, observePage, waitForContent } from './wait-for-content.js'

/** As many as are read of a page, see `read-page.ts`: its metadata is near its beginning. */
const MAX_HTML_CHARS = 1_000_000
/** The longest side in pixels that each file format can store; for AVIF, that all decoders accept. */
const MAX_SIDE: Readonly<Record<ImageType, number>> = {
  jpg: 65_500,
  png: Infinity,
  webp: 16_383,
  avif: 16_384,
}
/** States in which a page shows none of its content, and so none of its elements. */
const WITHOUT_CONTENT: readonly (PageState | undefined)[] = ['bot-check', 'error-page', 'login']

/** The outcome of one attempt. An element may be missing because the page does not show its content. */
interface Attempt {
  state: PageState | undefined
  /** `undefined` if the document was replaced during the capture, or could not be read. */
  observation: PageObservation | undefined
  result: DocumentCapture | PageError
}

type DocumentCapture = Omit<Capture, keyof VisitReport | 'html'>

/**
 * Takes the screenshot of a query in a new page. A page that does not show its content is waited for, and captured once more.
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
  const captured = attempt.result instanceof Error ? await captureWholePage(visit, overlay, attempt) : attempt.result
  if (captured instanceof Error) throw captured
  // The page may have stopped responding since.
  deadline.enterStage('wait')
  return { ...captured, html: needsHtml() ? await readDocument(visit) : undefined }
}

/**
 * Opens the page of a query without images, fonts and media, and serializes its document after its scripts have run. A page that
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
  return { html, url, statusCode, state, isCutShort: deadline.remainingWaitMs() === 0 }
}

/** The document after its scripts have run, as HTML. */
const readDocument = ({ page }: Visit): Promise<string> => runInPage(page, serializeDocument, MAX_HTML_CHARS)

async function tryCapture(visit: Visit, overlay: Overlay | undefined): Promise<Attempt> {
  try {
    const { capture, observation } = await captureDocument(visit, overlay)
    return { state: capture.state, observation, result: capture }
  } catch (error) {
    if (!isPageError(error) || error.code !== 'EELEMENT') throw error
    const observation = await observePage(visit, false)
    return { state: observation && judgePage(observation), observation, result: error }
  }
}

/** Waits for other content where it may appear. Resolves to whether the page shows something else now. */
async function waitForOtherContent(visit: Visit, { state, observation }: Attempt, loaderId: string): Promise<boolean> {
  if (visit.frame.document()?.loaderId !== loaderId) return true
  return observation !== undefined && isTemporary(state) && waitForContent(visit, state, observation)
}

/** Captures the whole page when its state explains why an element is missing; returns the error otherwise. */
async function captureWholePage(
  visit: Visit,
  overlay: Overlay | undefined,
  { state, result }: Attempt,
): Promise<Attempt['result']> {
  if (!WITHOUT_CONTENT.includes(state)) return result
  const query = { ...visit.query, element: undefined }
  const { capture } = await captureDocument({ ...visit, query }, overlay)
  return capture.state ? capture : result
}

/**
 * Takes the screenshot of a document that has loaded, and judges what it shows.
 *
 * @throws  {PageError} for a problem of the page or the query; any other error is the browser's.
 */
async function captureDocument(
  visit: Visit,
  overlay: Overlay | undefined,
): Promise<{ capture: DocumentCapture; observation: PageObservation | undefined }> {
  const { frame, query, deadline, warnings } = visit
  const { type, omitBackground, fullPage } = screenshotOptions(query)
  const area = await prepareArea(visit)
  const isWhole = area === undefined || fullPage
  await assertLoaded(visit)
  // Every wait ends when this time is used up.
  const isCutShort = deadline.remainingWaitMs() === 0

  deadline.enterStage('screenshot')
  if (omitBackground && type === 'jpg')
    warnings.add('omitBackground has no effect, because jpg images cannot be transparent.')
  // At the same time, so that both are of the same document and neither waits for the other.
  const [observation, raw] = await Promise.all([observePage(visit, isWhole), captureArea(visit, area, overlay)])
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

async function captureArea(
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
    limits: {
      maxSide: MAX_SIDE[type],
      maxPixels: maxPixelsOf(type),
      overlay: overlay?.addedSize(size, deviceScaleFactor),
    },
  })
  if (raw.scale < 1) warnings.add(scaledWarning(type, size, raw.scale))
  return raw
}

function scaledWarning(type: ImageType, { width, height }: Size, scale: number): string {
  const percent = Math.round(scale * 1_000) / 10
  return `An image of ${width} × ${height} pixels exceeds the limits of ${type}; it was scaled to ${percent} %.`
}

async function encodeImage(
  { query, device, images, client, turns, signal }: Visit,
  raw: RawScreenshot,
  url: string,
  overlay: Overlay | undefined,
): Promise<EncodedScreenshot> {
  const { type, quality, omitBackground } = screenshotOptions(query)
  const isTransparent = omitBackground && type !== 'jpg'
  const factor = device.deviceScaleFactor * raw.scale
  const layers = await overlay?.draw(raw, { factor, url, isTransparent })
  const options = { type, quality, maxHeight: MAX_SIDE[type], overlay: layers }
  return images.encodeScreenshot(raw, { ...options, client, turns, signal })
}
