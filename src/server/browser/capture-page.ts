import { isPageError, type PageError, type PageQuery, type PageState } from '../../query/index.js'
import { limitsOf, type EncodedScreenshot, type ImageType, type OverlayLayers } from '../images/index.js'
import { MAX_HTML_CHARS, type OptOut } from '../page/index.js'
import { explainObservation, judgePage, type PageObservation } from '../page-state/index.js'
import { withSpan } from '../tracing.js'
import { withinTime } from './abortable.js'
import { isTransparent, shownUserAgent } from './emulation.js'
import { listBlocks, type PageBlock } from './in-page/list-blocks.js'
import { serializeDocument } from './in-page/page-scripts.js'
import { readVisibleContent, type VisibleContent } from './in-page/read-visible-content.js'
import { revealWholePage } from './full-page.js'
import { onLastDocument } from './last-document.js'
import { observePage, optOutOf, temporaryState, waitForContent } from './observe-page.js'
import type { Overlay } from './overlay.js'
import { DocumentReplacedError, runInPage } from './run-in-page.js'
import { isPictureOfFile } from './show-file.js'
import { prepareArea } from './screenshot-area.js'
import {
  screenshotSize,
  takeScreenshot,
  viewportOrigin,
  type Box,
  type RawScreenshot,
  type Size,
} from './take-screenshot.js'
import type { Visit, VisitReport } from './visit.js'
import { assertLoaded, openDocument } from './visit-page.js'

/** What a visit found out about a page. */
interface VisitedPage extends VisitReport {
  /** Final URL of the main frame, after redirects and client-side navigation. */
  url: string
  /** HTTP status of the document in the main frame. */
  statusCode: number
  /** What the page showed instead of its content; `undefined`: its content. */
  state: PageState | undefined
  /** What the page does not want, as the browser sees it. */
  optOut: OptOut | undefined
  /** Whether the time to wait for the page was used up before it was complete. */
  isCutShort: boolean
}

/** The document of a page after its scripts have run. */
export interface RenderedPage extends VisitedPage {
  /** Serialised; at most `MAX_HTML_CHARS` characters. */
  html: string
}

/** A page as it is shown. */
export interface ViewedPage extends VisitedPage {
  /** The document, if it was needed. */
  html: string | undefined
  /** What a visitor sees of it, if that was needed; `undefined`, too, for a picture, and `null` if it was not read in time. */
  content: VisibleContent | null | undefined
}

/** The screenshot of a page, encoded. */
export interface Capture extends ViewedPage {
  bytes: Uint8Array
  type: ImageType
  /** The image's own pixels. */
  width: number
  height: number
  /** What the image shows, in CSS pixels from the top left corner of the document; beyond the page if an overlay is around it. */
  area: Box
  /** What a visitor can tell apart in `area`, if the query has `history`; `undefined`, too, if it was not read in time. */
  blocks?: PageBlock[] | undefined
  /** `#rrggbb`: the most frequent colour along the edges of the image. */
  backgroundColor: string
  /** `#rrggbb`, most frequent first; only with `palette`. */
  palette?: string[]
}

/** States in which a page shows none of its content, and so none of its elements. `card-model.ts` has the same list. */
export const STATES_WITHOUT_CONTENT: readonly (PageState | undefined)[] = ['bot-check', 'error-page', 'login']

/** The outcome of one attempt. An element may be missing because the page does not show its content. */
type Attempt = {
  state: PageState | undefined
  /** `undefined` if the document could not be read. */
  observation: PageObservation | undefined
} & Pick<ViewedPage, 'html' | 'content'> &
  ({ capture: DocumentCapture } | Missing)

/** `EELEMENT` */
type Missing = { missing: PageError }

type DocumentCapture = Omit<Capture, keyof VisitReport | 'html' | 'content'>

/**
 * Visits the page of a query and captures it: takes its screenshot and encodes it. A page that does not show its content is waited
 * for, and captured once more.
 *
 * @param needsHtml  See `Browser.capture`.
 * @throws           {PageError} for a problem of the page or the query; any other error is the browser's, and a new context may help.
 */
export async function capturePage(visit: Visit, needsHtml: () => boolean): Promise<Omit<Capture, keyof VisitReport>> {
  const [overlay] = await Promise.all([visit.overlay, openDocument(visit)])
  const attempt = await onLastDocument(visit, (current) => tryCapture(current, { overlay, needsHtml }))
  const last = (await hasOtherContent(visit, attempt))
    ? await onLastDocument(visit, (current) => tryCapture(current, { overlay, needsHtml }))
    : attempt
  const capture =
    'missing' in last
      ? await onLastDocument(visit, (current) => captureWholePage(current, overlay, last))
      : last.capture
  return { ...capture, html: last.html, content: last.content }
}

/**
 * Opens the page of a query without images, fonts and media, and serialises its document after its scripts have run. A page that
 * does not show its content gets more time once.
 *
 * @throws  {PageError} as `capturePage` does.
 */
export async function renderPage(visit: Visit): Promise<Omit<RenderedPage, keyof VisitReport>> {
  await openDocument(visit)
  const rendered = await onLastDocument(visit, renderDocument)
  return (await hasOtherContent(visit, rendered)) ? onLastDocument(visit, renderDocument) : rendered
}

/**
 * Opens the page of a query for what it shows, without a screenshot. A page that does not show its content gets more time once.
 *
 * @param needsHtml  See `Browser.capture`.
 * @throws           {PageError} as `capturePage` does.
 */
export async function viewPage(visit: Visit, needsHtml: () => boolean): Promise<Omit<ViewedPage, keyof VisitReport>> {
  await openDocument(visit)
  const view = async (current: Visit) => ({
    ...(await judgeDocument(current)),
    ...(await readIfNeeded(current, needsHtml)),
  })
  const viewed = await onLastDocument(visit, view)
  return (await hasOtherContent(visit, viewed)) ? onLastDocument(visit, view) : viewed
}

async function renderDocument(visit: Visit) {
  return { ...(await judgeDocument(visit)), html: await readDocument(visit) }
}

async function judgeDocument(visit: Visit) {
  const observation = await observePage(visit, true)
  const { url, statusCode } = visit.frame.document()!
  const state = observation && judgePage(observation)
  explainDocument(visit, observation, state)
  const optOut = observation && optOutOf(observation)
  return { url, statusCode, state, optOut, observation, isCutShort: visit.deadline.isCutShort() }
}

/** Says what the browser got; a file is not observed. */
function explainDocument(
  { explainer, frame, ...visit }: Visit,
  observation: PageObservation | undefined,
  state: PageState | undefined,
): void {
  const document = frame.document()
  if (!explainer || !document) return
  explainer.setPending(frame.requestsInFlight().map(({ url }) => url))
  explainer.setDocument({
    by: 'browser',
    userAgent: shownUserAgent(visit),
    url: document.url,
    statusCode: document.statusCode,
    title: observation?.document.title.trim() || null,
    textChars: observation?.document.textChars ?? 0,
    ...(state && { state, reason: explainObservation(observation!) }),
  })
}

/** The document after its scripts have run, as HTML. */
const readDocument = ({ page }: Visit): Promise<string> => runInPage(page, serializeDocument, MAX_HTML_CHARS)

/** What a result needs of a document besides its screenshot. */
async function readIfNeeded(visit: Visit, needsHtml: () => boolean): Promise<Pick<ViewedPage, 'html' | 'content'>> {
  visit.deadline.enterStage('wait')
  return {
    html: needsHtml() ? await readDocumentInTime(visit) : undefined,
    content: needsContent(visit.query) ? await readContentInTime(visit) : undefined,
  }
}

/** Whether a query requests what a page shows, as Markdown or as text. */
export const needsContent = ({ markdown = false, text = false }: PageQuery): boolean => markdown || text

const CONTENT = { maxNodes: 40_000, maxDepth: 200, maxHtmlChars: 600_000, timeoutMs: 4_000 }
/** Scrolling through a long page takes seconds, and so does its text. */
const CONTENT_TIMEOUT_MS = 12_000
/** The rest of the visit: a screenshot is worth more than the text. */
const AFTER_CONTENT_MS = 1_500

/** What a visitor sees of the document; see `ViewedPage`. */
async function readContentInTime(visit: Visit): Promise<VisibleContent | null | undefined> {
  const { page, query, deadline, signal } = visit
  if (isPictureOfFile(visit)) return undefined
  const read = async () => {
    if (!screenshotOptions(query).fullPage) await revealWholePage(visit)
    return runInPage(page, readVisibleContent, CONTENT)
  }
  const timeoutMs = Math.min(CONTENT_TIMEOUT_MS, Math.max(0, deadline.remainingMs() - AFTER_CONTENT_MS))
  try {
    return await withinTime(read(), { timeoutMs, signal })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof DocumentReplacedError) throw error
    return null
  }
}

/** Serialising takes milliseconds, unless scripts keep the page busy. */
const DOCUMENT_TIMEOUT_MS = 3_000

/** The same; `undefined` if the page has stopped responding since its screenshot was taken, which is worth more than the document. */
async function readDocumentInTime(visit: Visit): Promise<string | undefined> {
  const { signal } = visit
  try {
    return await withinTime(readDocument(visit), { timeoutMs: DOCUMENT_TIMEOUT_MS, signal })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof DocumentReplacedError) throw error
    return undefined
  }
}

/** Waits for other content if some may appear. Resolves to whether the page shows something else now. */
async function hasOtherContent(
  visit: Visit,
  { state, observation }: Pick<Attempt, 'state' | 'observation'>,
): Promise<boolean> {
  const temporary = observation && temporaryState(visit, state, observation)
  return temporary !== undefined && waitForContent(visit, temporary, observation!)
}

async function tryCapture(
  visit: Visit,
  { overlay, needsHtml }: { overlay: Overlay | undefined; needsHtml: () => boolean },
): Promise<Attempt> {
  try {
    const { capture, observation } = await captureDocument(visit, overlay)
    return { state: capture.state, observation, capture, ...(await readIfNeeded(visit, needsHtml)) }
  } catch (error) {
    if (!isPageError(error) || error.code !== 'EELEMENT') throw error
    const observation = await observePage(visit, false)
    const state = observation && judgePage(observation)
    explainDocument(visit, observation, state)
    return { state, observation, missing: error, ...(await readIfNeeded(visit, needsHtml)) }
  }
}

/** Captures the whole page when its state explains why an element is missing. Throws the error otherwise. */
async function captureWholePage(
  visit: Visit,
  overlay: Overlay | undefined,
  { state, missing }: Attempt & Missing,
): Promise<DocumentCapture> {
  const isPicture = isPictureOfFile(visit)
  if (!isPicture && !STATES_WITHOUT_CONTENT.includes(state)) throw missing
  const query = { ...visit.query, element: undefined }
  const { capture } = await captureDocument({ ...visit, query }, overlay)
  if (!isPicture && !capture.state) throw missing
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
  const observing = observePage(visit, isWhole)
  const [observation, { raw, blocks }] = await Promise.all([
    observing,
    takeScreenshotWithBlocks(visit, area, overlay),
    observing.then((observation) => warnOfMissingFonts(visit, observation?.document.text)),
  ])
  await assertLoaded(visit)
  const { url, statusCode } = frame.document()!

  deadline.enterStage('encode')
  const encode = () => encodeImage(visit, raw, url, overlay)
  const { bytes, width, height, shown, background, palette, pixels } = await withSpan('image.encode', encode)
  const capture = {
    bytes: bytes ?? raw.tiles[0]!,
    width,
    height,
    area: shown,
    type,
    backgroundColor: background,
    ...(blocks && { blocks }),
    ...(query.palette && { palette }),
    url,
    statusCode,
    state: observation && judgePage({ ...observation, pixels }),
    optOut: observation && optOutOf(observation),
    isCutShort,
  }
  explainDocument(visit, observation && { ...observation, pixels }, capture.state)
  return { capture, observation }
}

/** As much of the HTML as the text of any page that is looked at. */
const MAX_FILE_CHARS = 10_000

/** @param seen  The text that the page shows; a file is not observed. */
async function warnOfMissingFonts({ page, file, fonts, warnings, signal }: Visit, seen: string | undefined) {
  const text = file?.shown && !file.shown.isPicture ? file.shown.html.slice(0, MAX_FILE_CHARS) : (seen ?? '')
  const warning = await fonts.warningFor(text, page, signal)
  if (warning) warnings.add(warning)
}

function screenshotOptions({ screenshot }: PageQuery) {
  const options = typeof screenshot === 'object' ? screenshot : {}
  const { type = 'jpg', quality = 80, fullPage = false, omitBackground = false } = options
  return { type, quality, fullPage, omitBackground }
}

async function takeScreenshotWithBlocks(visit: Visit, area: Box | undefined, overlay: Overlay | undefined) {
  const loaderId = visit.frame.document()?.loaderId
  const raw = await takeScreenshotOf(visit, area, overlay)
  if (visit.query.history === undefined) return { raw }
  const blocks = await listBlocksInTime(visit, raw.shown)
  return { raw, blocks: visit.frame.document()?.loaderId === loaderId ? blocks : undefined }
}

/** Blocks of a page that are listed; the others, at its end, are left out. */
export const MAX_BLOCKS = 800
const BLOCKS = { maxNodes: 20_000, maxBlocks: MAX_BLOCKS, maxDepth: 600, maxTextChars: 200, timeoutMs: 2_000 }
/** It takes tens of milliseconds, unless scripts keep the page busy. */
const BLOCKS_TIMEOUT_MS = 3_000
/** The rest of the visit: a screenshot is worth more than its blocks. */
const AFTER_BLOCKS_MS = 1_500

/** What a visitor can tell apart in an area of the document; `undefined` if it cannot be read in time. */
async function listBlocksInTime({ page, deadline, signal }: Visit, area: Box): Promise<PageBlock[] | undefined> {
  const list = async () => runInPage(page, listBlocks, { ...BLOCKS, area, origin: await viewportOrigin(page) })
  const timeoutMs = Math.min(BLOCKS_TIMEOUT_MS, Math.max(0, deadline.remainingMs() - AFTER_BLOCKS_MS))
  try {
    return (await withinTime(list(), { timeoutMs, signal })) ?? undefined
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

async function takeScreenshotOf(
  { page, query, device, warnings }: Visit,
  area: Box | undefined,
  overlay: Overlay | undefined,
): Promise<RawScreenshot & { shown: Box }> {
  const { type, quality } = screenshotOptions(query)
  const { deviceScaleFactor } = device
  const { width, height } = device
  const shown = area ?? { ...(await viewportOrigin(page)), width, height }
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
  return { ...raw, shown }
}

function scaledWarning(type: ImageType, { width, height }: Size, scale: number): string {
  const percent = Math.round(scale * 1_000) / 10
  return `An image of ${width} × ${height} pixels exceeds the limits of ${type}; it was scaled to ${percent} %.`
}

async function encodeImage(
  { query, device, images, client, waiters, signal }: Visit,
  raw: RawScreenshot & { shown: Box },
  url: string,
  overlay: Overlay | undefined,
): Promise<EncodedScreenshot & { shown: Box }> {
  const { type, quality } = screenshotOptions(query)
  const factor = device.deviceScaleFactor * raw.scale
  const layers = await overlay?.draw(raw, { factor, url, isTransparent: isTransparent(query) })
  const options = { type, quality, maxHeight: limitsOf(type).maxSide, overlay: layers }
  const encoded = await images.encodeScreenshot(raw, { ...options, client, waiters, signal })
  return { ...encoded, shown: layers ? aroundOverlay(raw.shown, layers.layout, factor) : raw.shown }
}

/** @param factor  Pixels per CSS pixel. */
const aroundOverlay = ({ x, y }: Box, { left, top, width, height }: OverlayLayers['layout'], factor: number): Box => ({
  x: x - left / factor,
  y: y - top / factor,
  width: width / factor,
  height: height / factor,
})
