import type { EventEmitter } from 'node:events'
import prettyBytes from 'pretty-bytes'
import { isPageError, PageError, type PageQuery, type PageState } from '../../query/index.js'
import {
  resolveClip,
  resolveDevice,
  resolveVisitor,
  type Browser,
  type Capture,
  type RenderedPage,
} from '../browser/index.js'
import type { NegativeCache, Revalidations, SingleFlight } from '../jobs/index.js'
import type { Guard } from '../network/index.js'
import { readPage, readRenderedPage, type PageParts, type PageReadResult } from '../page/index.js'
import { describeState, redirectsToConsentWall, type StateCounter } from '../page-state/index.js'
import type { RequestScope } from '../request-scope.js'
import { subjectOfUrl, type ImageName, type Store, type Subject } from '../store/index.js'
import type { ProducedEntry } from './decide-result.js'
import type { ExtractionResult } from './extraction-result.js'

/** What happens to the results of this instance; `store.purges.onPurge` has the purges. */
export interface ResultEvents {
  /** A result was stored under a key; `createdAt` is milliseconds since 1970. */
  replaced: [key: string, createdAt: number]
}

/** What produces and stores the results of a service. */
export interface ResultParts extends PageParts {
  guard: Guard
  browser: Browser
  store: Store
  /** The results that are being produced, by their keys. */
  flights: SingleFlight<ProducedEntry>
  /** The failures of pages, by the keys of their results. */
  failures: NegativeCache
  revalidations: Revalidations
  stateCounter: StateCounter
  /** The owner of what is stored because of a client; see `createOwnerHash`. */
  ownerOf: (client: string) => string
  events: EventEmitter<ResultEvents>
  /** Milliseconds since 1970. */
  clock: () => number
}

/** What was extracted from one page. */
export interface Extraction {
  result: ExtractionResult
  /** The stored images that the result refers to. */
  images: ImageName[]
  /** The pages that it shows. */
  subjects: Subject[]
}

/** A page's metadata as fetched, or after its scripts ran. */
interface Metadata {
  reading: PageReadResult
  fetchMode: 'fetch' | 'prerender'
  /** What the page showed instead of its content, to the browser too. */
  state: PageState | undefined
  /** Whether the page could not be opened in the browser, or had less time than usual. */
  isProvisional: boolean
  /** Whether the page had not loaded when its time was up. */
  isCutShort: boolean
}

const BOT_CHECK_WARNING = 'The document of the page is a bot check, so its metadata could not be read.'

/** Share of the request's timeout: a late capture can then still report whether the page or the browser was too slow. */
const CAPTURE_SHARE = 0.9
const MAX_RENDER_MS = 10_000
/** The rest of the remaining time is for pinging the URLs that the rendered page names. */
const RENDER_SHARE = 0.6

/**
 * Reads the metadata of a page and captures its screenshot at the same time; the first failure aborts both. A page that
 * has no metadata without its scripts is read again after they ran.
 *
 * @throws   {PageError} `EINVALQUERY` for an unknown device, locale or time zone and for a clip without area, and the errors of reading, of the network guard and of the browser.
 */
export async function extractPage(scope: RequestScope, parts: ResultParts): Promise<Extraction> {
  const partsForPage = { ...parts, guard: parts.guard.forPage() }
  const { query, timeoutMs, owner } = scope
  // Parameters for the browser are validated even if none is needed.
  const { width, deviceScaleFactor } = resolveDevice(query)
  resolveClip(query)
  const { languages } = resolveVisitor(query)
  const startedAt = performance.now()
  const visitor = { languages, screenWidth: Math.round(width * deviceScaleFactor) }
  const [fetched, capture] = await readAndCapture(scope, visitor, partsForPage)
  const remainingMs = timeoutMs - (performance.now() - startedAt)
  const metadata: Metadata = needsPrerender(query, fetched)
    ? await prerender(fetched, scope, partsForPage, { capture, remainingMs })
    : { reading: fetched, fetchMode: 'fetch', state: undefined, isProvisional: false, isCutShort: false }

  const result = resultOf(query, metadata, capture)
  const subjects = subjectsOf(query, metadata.reading)
  if (result.data.state) parts.stateCounter.record(result.data.state, query.url)
  const isUndrawn = metadata.reading.view === 'none' && query.screenshot
  if (!capture) return { result: isUndrawn ? { ...result, screenshot: null } : result, images: [], subjects }
  if (capture.state) return { result: { ...result, screenshot: null }, images: [], subjects }
  const image = await parts.store.images.writeImage(capture.bytes, capture.type, owner)
  return { result: { ...result, screenshot: screenshotOf(capture, image) }, images: [image], subjects }
}

async function readAndCapture(
  scope: RequestScope,
  { languages, screenWidth }: { languages: readonly string[] | undefined; screenWidth: number },
  parts: ResultParts,
): Promise<[PageReadResult, Capture | undefined]> {
  const { query, timeoutMs } = scope
  const failure = new AbortController()
  const signal = AbortSignal.any([scope.signal, failure.signal])
  const abortBoth = (error: unknown): never => {
    failure.abort(error)
    throw error
  }
  let fetched: PageReadResult | undefined
  const fetching = readPage({ ...scope, signal }, languages, parts, screenWidth).then((reading) => (fetched = reading))
  // Called after the page has loaded; by then the fetch has usually ended.
  const needsHtml = () => query.meta !== false && (!fetched || needsPrerender(query, fetched))
  // A file that cannot be shown still has a title.
  const viewOfFile = () => fetching.then(({ view }) => (view === 'none' ? undefined : view))
  const withoutCapture = (error: unknown) => (fetched?.view === 'none' ? undefined : abortBoth(error))
  return Promise.all([
    fetching.catch(abortBoth),
    query.screenshot
      ? parts.browser
          .capture({ ...scope, signal, timeoutMs: timeoutMs * CAPTURE_SHARE }, needsHtml, viewOfFile)
          .catch(withoutCapture)
      : undefined,
  ])
}

/** Whether the requested metadata is only in the DOM that the page's scripts build, or behind a wall that a browser may pass. */
const needsPrerender = ({ meta, javascript }: PageQuery, fetched: PageReadResult): boolean =>
  meta !== false && (fetchedState(fetched) !== undefined || (javascript !== false && fetched.lacksMetadata))

/** What the page shows in place of its content if no browser opens it. */
const fetchedState = ({ state }: PageReadResult): PageState | undefined => state

/** What is left for a page whose document has been fetched. */
interface Rest {
  /** A capture of the same page; when it contains the HTML, the page is not opened again. */
  capture: Capture | undefined
  /** Milliseconds until the timeout of the request. */
  remainingMs: number
}

/**
 * Reads the metadata of a page from its DOM after its scripts ran. When that fails, the fetched metadata is used, with a
 * warning.
 *
 * @throws  {PageError} `EINVALQUERY` for an option that only the browser can validate. An aborted `signal` throws its reason.
 */
async function prerender(
  fetched: PageReadResult,
  scope: RequestScope,
  parts: ResultParts,
  rest: Rest,
): Promise<Metadata> {
  try {
    const rendered = await renderedPage(scope, parts, rest)
    const { state, isProvisional, isCutShort } = rendered
    const fetchedOnly = { reading: fetched, fetchMode: 'fetch', state, isProvisional, isCutShort } as const
    // The plain fetch succeeded, so an error status for the browser means that the site refuses browsers.
    const isRefused = rendered.statusCode >= 400 && fetched.statusCode < 400
    // A blank screen, and a consent wall at the address of the page, do not replace the page's own document.
    const isConsentWallOfPage = state === 'consent' && !redirectsToConsentWall(scope.query.url, rendered.url)
    const isOwnDocument = !state || state === 'blank' || isConsentWallOfPage
    if (!isOwnDocument && (!isRefused || fetchedState(fetched) || rest.capture)) return fetchedOnly
    if (isRefused)
      throw new PageError('EUNREACHABLE', `The page responds to the browser with status ${rendered.statusCode}.`)
    return { ...fetchedOnly, reading: await readRendered(rendered, fetched, scope, parts), fetchMode: 'prerender' }
  } catch (error) {
    scope.signal.throwIfAborted()
    if (!isPageError(error) || error.code === 'EINVALQUERY') throw error
    return { ...withoutBrowser(fetched, error), fetchMode: 'fetch', isProvisional: true, isCutShort: false }
  }
}

async function renderedPage(
  scope: RequestScope,
  { browser }: ResultParts,
  { capture, remainingMs }: Rest,
): Promise<RenderedPage> {
  // The warnings of a capture are added to the result with the screenshot.
  if (capture?.html !== undefined) return { ...capture, html: capture.html, warnings: [] }
  return browser.render({ ...scope, timeoutMs: Math.min(MAX_RENDER_MS, remainingMs * RENDER_SHARE) })
}

async function readRendered(
  { html, url, statusCode, warnings, timings }: RenderedPage,
  fetched: PageReadResult,
  scope: RequestScope,
  parts: ResultParts,
): Promise<PageReadResult> {
  const page = { ...fetched, url, timings: { ...fetched.timings, ...timings } }
  // The fetched document, and so its status, is the bot check or consent wall.
  const passed = fetchedState(fetched) ? { ...page, statusCode } : page
  const reading = await readRenderedPage(html, passed, scope, parts)
  return { ...reading, headers: fetched.headers, warnings: [...reading.warnings, ...warnings] }
}

function withoutBrowser(fetched: PageReadResult, { message }: PageError): Pick<Metadata, 'reading' | 'state'> {
  const state = fetchedState(fetched)
  const warning = state
    ? `Without a browser, the page ${describeState(state)}, and the browser could not open it: ${message}`
    : `The page has no metadata without its scripts, and they could not be run: ${message}`
  return { reading: { ...fetched, warnings: [...fetched.warnings, warning] }, state }
}

function resultOf(
  { meta }: PageQuery,
  { reading, fetchMode, isProvisional, isCutShort, ...metadata }: Metadata,
  capture: Capture | undefined,
): ExtractionResult {
  const { data, headers, redirects, warnings, timings } = reading
  const { state } = capture ?? metadata
  const hasPassed = reading.state === 'bot-check' && capture && !state
  return {
    data: { ...data, ...(state && { state }) },
    statusCode: hasPassed ? capture.statusCode : reading.statusCode,
    headers,
    redirects,
    warnings: [...warnings, ...(hasPassed && meta !== false ? [BOT_CHECK_WARNING] : []), ...(capture?.warnings ?? [])],
    fetchMode: meta === false ? 'skipped' : fetchMode,
    timings: { ...timings, ...capture?.timings },
    ...((isProvisional || reading.isProvisional || capture?.isProvisional) && { isProvisional: true }),
    ...((isCutShort || capture?.isCutShort) && { isCutShort: true }),
  }
}

function screenshotOf(
  { bytes, type, width, height, backgroundColor, palette }: Capture,
  image: ImageName,
): ExtractionResult['screenshot'] {
  return {
    image,
    width,
    height,
    type,
    size: bytes.byteLength,
    size_pretty: prettyBytes(bytes.byteLength),
    background_color: backgroundColor,
    ...(palette && { palette }),
  }
}

/** The page with its redirects, each once. */
const subjectsOf = ({ url }: PageQuery, reading: PageReadResult): Subject[] => [
  ...new Set([url, ...reading.redirects.map((hop) => hop.url), reading.url].map((each) => subjectOfUrl(each))),
]
