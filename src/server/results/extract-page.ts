import prettyBytes from 'pretty-bytes'
import {
  isPageError,
  PageError,
  type Candidate,
  type ErrorCode,
  type Explanation,
  type PageCandidates,
  type PageData,
  type PageQuery,
  type PageState,
} from '../../query/index.js'
import {
  needsContent,
  resolveClip,
  resolveDevice,
  resolveVisitor,
  type Browser,
  type Capture,
  type PageBlock,
  type RenderedPage,
  type ViewedPage,
} from '../browser/index.js'
import type { ContentReader, UnreadContent } from '../content/index.js'
import { createExplainer } from '../explainer.js'
import { TransientError, withTimeout } from '../jobs/index.js'
import type { Guard } from '../network/index.js'
import {
  isHtml,
  isUnknownType,
  parseContentType,
  readOptedOutPage,
  readPage,
  readRenderedPage,
  strictest,
  type OptOut,
  type PageParts,
  type PageReadResult,
} from '../page/index.js'
import { describeState, redirectsToConsentWall, type StateCounter } from '../page-state/index.js'
import type { ExtractionScope } from '../request-scope.js'
import { subjectOfUrl, type Subject } from '../store/index.js'
import type { ExtractedResult } from './extraction-result.js'

/** What was extracted from one page. Its screenshot is not stored yet. */
export interface Extraction {
  result: ExtractedResult
  /** The file of the screenshot that the result describes, of its `type`; `undefined`: there is none. */
  image: Uint8Array | undefined
  /** What a visitor can tell apart in the screenshot, if the query has `history`; `undefined`, too, if it was not read in time. */
  blocks: PageBlock[] | undefined
  /** The pages that the result shows. */
  subjects: Subject[]
  /** What of the network guard's allowed targets it may depend on; see `Guard.allowancesSince`. */
  allowances: string[]
}

/** Extracts pages, on this machine or on another one. */
export interface Extractor {
  /** @throws  {PageError} as `extractPage` does. An aborted `signal` throws its own reason. */
  extract(scope: ExtractionScope): Promise<Extraction>
}

/** What extracts pages on this machine. */
export interface ExtractorParts extends PageParts {
  guard: Guard
  browser: Browser
  contents: ContentReader
  stateCounter: StateCounter
}

export const createLocalExtractor = (parts: ExtractorParts): Extractor => ({
  extract: (scope) => extractPage(scope, parts),
})

/** A page's metadata as fetched, or after its scripts ran. */
interface Metadata {
  reading: PageReadResult
  fetchMode: 'fetch' | 'prerender'
  /** Which document the metadata is from, and why: a sentence. */
  choice: string
  /** What the page showed instead of its content, to the browser too. */
  state: PageState | undefined
  /** Whether the page could not be opened in the browser, or had less time than usual. */
  isProvisional: boolean
  /** Whether the page had not loaded when its time was up. */
  isCutShort: boolean
}

const BOT_CHECK_WARNING = 'The document of the page is a bot check, so its metadata could not be read.'

const NO_SCREENSHOT_WARNING =
  'The page does not want a screenshot, as its element <meta name="page-preview"> or its header x-page-preview says.'

const DOWNLOAD_WARNING = 'The page is a file that browsers download, so there is no screenshot of it.'

/** Share of the request's timeout: a late capture can then still report whether the page or the browser was too slow. */
const CAPTURE_SHARE = 0.9
const MAX_RENDER_MS = 10_000
/** The rest of the remaining time is for pinging the URLs that the rendered page names. */
const RENDER_SHARE = 0.6

/** Ends the work for a page that wants no preview. */
class OptedOutError extends Error {
  override readonly name = 'OptedOutError'
  /**
   * @param reason  A sentence.
   * @param page    What responded; `undefined`: nothing was requested.
   */
  constructor(
    readonly reason: string,
    readonly page?: Pick<PageReadResult, 'url' | 'statusCode' | 'headers' | 'redirects'>,
  ) {
    super(reason)
  }
}

/**
 * Reads a page, unless it wants no preview: the result then has its URL alone, and everything that was started is ended.
 *
 * @throws  {PageError} as `visitPage` does, and `EBUSY` for a host that may not be visited again soon.
 */
async function extractPage(scope: ExtractionScope, parts: ExtractorParts): Promise<Extraction> {
  const { query, signal, timeoutMs } = scope
  const startedAt = performance.now()
  try {
    if (parts.robots.isExcluded(query.url)) throw excludedError(query.url)
    await parts.robots.takeTurn(query.url, { maxWaitMs: timeoutMs * TURN_SHARE, signal })
    return await visitPage(scope, parts, startedAt)
  } catch (error) {
    if (!(error instanceof OptedOutError)) throw error
    const { reason, page = { url: query.url, statusCode: 0, headers: {}, redirects: [] } } = error
    const reading = await readOptedOutPage(page, scope, parts)
    parts.stateCounter.record('opted-out', query.url)
    // A new one, which does not know what the page says.
    const explainer = query.explain ? createExplainer() : undefined
    const result = resultOf(
      { ...scope, explainer },
      { ...FETCHED, choice: CHOICES.optedOut, reading: { ...reading, headers: page.headers }, state: 'opted-out' },
      undefined,
      withoutContent(query),
    )
    const allowances = parts.guard.allowancesSince(startedAt)
    return {
      result: { ...result, warnings: [...result.warnings, reason], ...(query.screenshot && { screenshot: null }) },
      image: undefined,
      blocks: undefined,
      subjects: subjectsOf(query, page, undefined),
      allowances,
    }
  }
}

const FETCHED = { fetchMode: 'fetch', isProvisional: false, isCutShort: false } as const

/** Share of the request's timeout that it may wait for its turn to visit a host. */
const TURN_SHARE = 0.4

const excludedError = (url: string, page?: PageReadResult) =>
  new OptedOutError(`The robots.txt of ${new URL(url).host} excludes the page for PagePreviewbot.`, page)

/** @throws  {OptedOutError} if the page, as its document or its headers say, or the `robots.txt` of one of the URLs wants no preview. */
async function assertWanted(
  page: PageReadResult,
  { urls, optOut }: { urls: readonly string[]; optOut: OptOut | undefined },
  scope: ExtractionScope,
  { robots }: ExtractorParts,
): Promise<void> {
  if (optOut === 'none' && !robots.areIgnored)
    throw new OptedOutError(
      'The page does not want a preview, as its element <meta name="page-preview"> or its header x-page-preview says.',
      page,
    )
  const others = [...new Set(urls)]
  const allowed = await Promise.all(others.map((url) => robots.allows(url, scope)))
  const excluded = others.find((_, index) => !allowed[index])
  if (excluded !== undefined) throw excludedError(excluded, page)
}

const urlsOf = ({ redirects, url }: PageReadResult) => [...redirects.map((hop) => hop.url), url]

/**
 * Reads the metadata of a page and captures its screenshot at the same time. The first failure aborts both, unless it is a failure of
 * the plain fetch that a browser may not have. If a browser opens the page, the document that its scripts have produced is compared with
 * the one that was fetched. A page that seems to have no metadata of its own without its scripts is opened for its metadata alone.
 *
 * @throws   {PageError} `EINVALQUERY` for an unknown device, locale or time zone and for a clip without area, and the errors of reading, of the network guard and of the browser.
 *           {OptedOutError}
 */
async function visitPage(request: ExtractionScope, parts: ExtractorParts, startedAt: number): Promise<Extraction> {
  const partsForPage = { ...parts, guard: parts.guard.forPage() }
  const { query, timeoutMs } = request
  const explainer = query.explain ? createExplainer() : undefined
  const scope = { ...request, explainer }
  // Parameters for the browser are validated even if none is needed.
  const { width, deviceScaleFactor } = resolveDevice(query)
  resolveClip(query)
  const { languages } = resolveVisitor(query)
  const visitor = { languages, screenWidth: Math.round(width * deviceScaleFactor) }
  const [fetched, capture] = await readAndCapture(scope, visitor, partsForPage)
  const remainingMs = timeoutMs - (performance.now() - startedAt)
  const metadata = await readMetadata(fetched, scope, partsForPage, { capture, remainingMs })

  const isUnwanted =
    !parts.robots.areIgnored && strictest(fetched.optOut, metadata.reading.optOut, capture?.optOut) !== undefined
  const content = needsContent(query) ? await readContent(capture, scope, parts) : undefined
  const result = resultOf(scope, metadata, capture, content)
  const subjects = subjectsOf(query, metadata.reading, capture)
  const allowances = parts.guard.allowancesSince(startedAt)
  if (result.data.state) parts.stateCounter.record(result.data.state, query.url)
  const withoutImage = { image: undefined, blocks: undefined, subjects, allowances }
  if (isUnwanted && query.screenshot)
    return {
      result: { ...result, screenshot: null, warnings: [...result.warnings, NO_SCREENSHOT_WARNING] },
      ...withoutImage,
    }
  if (!capture && query.screenshot) return { result: withoutScreenshot(result, fetched), ...withoutImage }
  if (!capture || !isCapture(capture)) return { result, ...withoutImage }
  if (capture.state) return { result: { ...result, screenshot: null }, ...withoutImage }
  const { bytes: image, blocks } = capture
  return { result: { ...result, screenshot: screenshotOf(capture) }, image, blocks, subjects, allowances }
}

const isCapture = (viewed: ViewedPage): viewed is Capture => 'bytes' in viewed

/** A page as it was fetched. */
interface Fetched extends PageReadResult {
  /** Why it could not be fetched, although a browser may get it; then nothing else is known of the page. */
  failure?: PageError
}

async function readAndCapture(
  scope: ExtractionScope,
  { languages, screenWidth }: { languages: readonly string[] | undefined; screenWidth: number },
  parts: ExtractorParts,
): Promise<[Fetched, ViewedPage | undefined]> {
  const { query, timeoutMs } = scope
  const failure = new AbortController()
  const signal = AbortSignal.any([scope.signal, failure.signal])
  const abortBoth = (error: unknown): never => {
    failure.abort(error)
    throw error
  }
  const isViewed = Boolean(query.screenshot) || needsContent(query)
  const opensBrowser = isViewed || query.meta !== false
  let fetched: Fetched | undefined
  /** Aborts when the page turns out to want no screenshot. */
  const unwanted = new AbortController()
  const fetchAndCheck = async (): Promise<Fetched> => {
    // At the same time, so that a page is not later than without it.
    const allowing = parts.robots.allows(query.url, { ...scope, signal })
    allowing.catch(() => undefined)
    const reading: Fetched = await readPage({ ...scope, signal }, languages, parts, screenWidth).catch(
      (error: unknown) => {
        if (opensBrowser && mayOpenInBrowser(error, query)) return unfetched(scope, error, parts)
        throw error
      },
    )
    fetched = reading
    if (!(await allowing)) throw excludedError(query.url, reading.failure ? undefined : reading)
    await assertWanted(reading, { urls: urlsOf(reading), optOut: reading.optOut }, { ...scope, signal }, parts)
    // The text of a page without a screenshot is read from the browser all the same.
    if (reading.optOut && !needsContent(query)) unwanted.abort()
    return reading
  }
  const fetching = fetchAndCheck().catch(abortBoth)
  // Called after the page has loaded; by then the fetch has usually ended.
  const needsHtml = () => query.meta !== false && (!fetched || comparesRendered(query, fetched))
  let isFile = false
  const viewOfFile = async () => {
    const { view } = await fetching
    isFile = true
    return view === 'none' ? undefined : view
  }
  // A file that the browser can only download still has a title.
  const withoutCapture = (error: unknown) => {
    // What the page says is wanted.
    if (unwanted.signal.aborted && !signal.aborted) return needsContent(query) ? view(false) : undefined
    return isFile && fetched && isFileResponse(fetched) && isPageError(error) && error.code === 'EUNREACHABLE'
      ? undefined
      : abortBoth(error)
  }
  const view = async (hasScreenshot: boolean) => {
    const either = hasScreenshot ? AbortSignal.any([signal, unwanted.signal]) : signal
    const viewScope = { ...scope, signal: either, timeoutMs: timeoutMs * CAPTURE_SHARE }
    const { browser } = parts
    const viewed: ViewedPage = hasScreenshot
      ? await browser.capture(viewScope, needsHtml, viewOfFile)
      : await browser.view(viewScope, needsHtml, viewOfFile)
    const { url, optOut } = viewed
    await assertWanted(await fetching, { urls: [url], optOut }, { ...scope, signal }, parts)
    return viewed
  }
  return Promise.all([fetching, isViewed ? view(Boolean(query.screenshot)).catch(withoutCapture) : undefined])
}

/** Failures of a plain fetch that a browser may not have, because it is more tolerant, or because sites send it other pages. */
const FETCH_FAILURES: ReadonlySet<ErrorCode> = new Set(['EMAXREDIRECTS', 'EUNREACHABLE', 'ETIMEOUT'])
/** Failures of the network, which a browser would have too. */
const NETWORK_FAILURES = new Set(
  'ECONNREFUSED EHOSTUNREACH ENETUNREACH EADDRNOTAVAIL ENOTFOUND EAI_AGAIN ETIMEDOUT UND_ERR_CONNECT_TIMEOUT'.split(
    ' ',
  ),
)
/**
 * Certificates that a browser refuses too. It may accept others that Node does not: it fetches a missing certificate of a chain, and may
 * know another root.
 */
const CERTIFICATE_FAILURES = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])
const MAX_CAUSES = 5

/** Whether a browser may get a page that a plain fetch did not. It is not opened for a certificate alone that it refuses too. */
function mayOpenInBrowser(error: unknown, { screenshot }: PageQuery): error is PageError {
  if (!isPageError(error) || !FETCH_FAILURES.has(error.code)) return false
  let cause: unknown = error.cause
  for (let depth = 0; cause instanceof Error && depth < MAX_CAUSES; depth++) {
    const code = 'code' in cause ? String(cause.code) : ''
    if (cause instanceof TransientError || NETWORK_FAILURES.has(code)) return false
    if (!screenshot && CERTIFICATE_FAILURES.has(code)) return false
    cause = cause.cause
  }
  return true
}

function unfetched(
  { query: { url, headers }, explainer }: ExtractionScope,
  failure: PageError,
  { dispatcher }: ExtractorParts,
): Fetched {
  explainer?.setDocument({
    by: 'fetch',
    userAgent: headers?.['user-agent'] ?? dispatcher.userAgent,
    url,
    statusCode: null,
    title: null,
    textChars: 0,
    reason: failure.message,
  })
  return {
    data: {},
    statusCode: 0,
    headers: {},
    redirects: [],
    url,
    warnings: [],
    timings: {},
    isUnverified: false,
    summary: undefined,
    state: undefined,
    failure,
  }
}

/** Whether the document that the browser shows, if it opens the page anyway, may have better metadata than the one that was fetched. */
const comparesRendered = (query: PageQuery, fetched: Fetched): boolean =>
  query.meta !== false && (isUnread(fetched) || (query.javascript !== false && fetched.summary !== undefined))

/** Whether the plain fetch did not get the content of the page. */
const isUnread = ({ failure, state, statusCode }: Pick<Fetched, 'failure' | 'state' | 'statusCode'>): boolean =>
  failure !== undefined || state !== undefined || REFUSALS.has(statusCode)

/** Whether a page is opened in the browser for its metadata alone; an error page or a form to log in would be the same there. */
const needsRendered = ({ meta, javascript }: PageQuery, { failure, state, statusCode, summary }: Fetched): boolean => {
  if (meta === false) return false
  if (failure || state === 'bot-check' || state === 'consent') return true
  return REFUSALS.has(statusCode) ? state !== 'login' : javascript !== false && summary?.isShell === true
}

/** Statuses with which sites refuse programs. */
const REFUSALS = new Set([403, 406])

/**
 * Reads the metadata of a page from the document that was fetched, or from its DOM after its scripts have run. If the browser fails, the
 * metadata is that of the fetched document, with a warning if the page seems to need its scripts.
 *
 * @param capture      Of the same page; if it contains the HTML, the page is not opened again.
 * @param remainingMs  Until the timeout of the request.
 * @throws  {PageError} The failure of the fetch, if the browser fails too; `EINVALQUERY` for an option that only the browser can
 *          validate. An aborted `signal` throws its reason.
 */
async function readMetadata(
  fetched: Fetched,
  scope: ExtractionScope,
  parts: ExtractorParts,
  { capture, remainingMs }: { capture: ViewedPage | undefined; remainingMs: number },
): Promise<Metadata> {
  const { query } = scope
  const isNeeded = needsRendered(query, fetched)
  const state = query.meta === false ? undefined : fetched.state
  const fetchedOnly = { ...FETCHED, reading: fetched, state }
  if (!isNeeded && (capture?.html === undefined || !comparesRendered(query, fetched)))
    return { ...fetchedOnly, choice: whyNotRendered(query, fetched, capture) }
  const choose = async (signal: AbortSignal) => {
    const ownScope = { ...scope, signal }
    const timeoutMs = Math.min(MAX_RENDER_MS, remainingMs * RENDER_SHARE)
    const rendered =
      capture?.html === undefined
        ? await render(fetched, { ...ownScope, timeoutMs }, parts)
        : // The warnings of a capture are added to the result with the screenshot.
          { ...capture, html: capture.html, warnings: [] }
    return chooseDocument(rendered, fetched, ownScope, parts, capture)
  }
  try {
    // A step that only improves a result must not fail it.
    return await withTimeout(choose, {
      signal: scope.signal,
      timeoutMs: Math.max(0, remainingMs - RESERVED_MS),
      timeoutError: lateError,
    })
  } catch (error) {
    scope.signal.throwIfAborted()
    if (!isPageError(error) || error.code === 'EINVALQUERY') throw error
    if (fetched.failure && !capture) throw fetched.failure
    const failed = { ...fetchedOnly, choice: `The document of the browser could not be read: ${error.message}` }
    if (fetched.failure) return { ...failed, reading: withoutDocument(fetched, fetched.failure), isProvisional: true }
    return isNeeded ? { ...failed, ...withoutBrowser(fetched, error), isProvisional: true } : failed
  }
}

/** Which document the metadata is from. */
const CHOICES = {
  complete: 'The document as fetched, which needs no scripts for its metadata.',
  withoutScripts: 'The document as fetched, because javascript=false.',
  withoutMeta: 'None, because meta=false.',
  refused: 'The document as fetched. It is an error page or a form to log in, which a browser would get too.',
  unread: 'The document of the browser, because the service by itself did not get the content of the page.',
  unreadToo: 'The document as fetched: neither the service by itself nor the browser got the content of the page.',
  better: 'The document of the browser: scripts have set metadata that describes the page better.',
  noBetter: 'The document as fetched: scripts have set no metadata that describes the page better.',
  replaced: 'The document as fetched, because the browser got something else instead of the content or in front of it.',
  shell: 'The document of the browser, because the page has hardly any metadata of its own without its scripts.',
  login: 'None of both: scripts lead to a form to log in, so only the address and the icon of the page are known.',
  optedOut: 'None, because the page does not want a preview.',
} as const

/** Why a page that was fetched was not compared with the document of a browser. */
function whyNotRendered(query: PageQuery, fetched: Fetched, capture: ViewedPage | undefined): string {
  if (query.meta === false) return CHOICES.withoutMeta
  if (isUnread(fetched)) return CHOICES.refused
  if (query.javascript === false) return CHOICES.withoutScripts
  return capture && fetched.summary
    ? 'The document as fetched, because the browser did not send its own in time.'
    : CHOICES.complete
}

/** Reserved for the response, in case the metadata takes all the time before. */
const RESERVED_MS = 300

/** What is known of a page that was captured, but neither fetched nor read from the browser. */
const withoutDocument = (fetched: Fetched, { data, message }: PageError): Fetched => ({
  ...fetched,
  warnings: [
    ...fetched.warnings,
    `The page could not be fetched without the browser (${data['url'] ?? message}), and it no longer responded in the browser, so its metadata could not be read.`,
  ],
})

const lateError = () => new PageError('ETIMEOUT', 'The document that the browser shows was not read in time.')

/** The page as the browser shows it, opened for that alone. */
async function render(fetched: Fetched, scope: ExtractionScope, parts: ExtractorParts): Promise<RenderedPage> {
  const rendered = await parts.browser.render(scope)
  await assertWanted(fetched, { urls: [rendered.url], optOut: rendered.optOut }, scope, parts)
  return rendered
}

const EMPTY_DOCUMENT = '<!doctype html>'

/** Chooses between the document that was fetched and the one that the browser shows. */
async function chooseDocument(
  rendered: RenderedPage,
  fetched: Fetched,
  scope: ExtractionScope,
  parts: ExtractorParts,
  capture: ViewedPage | undefined,
): Promise<Metadata> {
  const { state, isProvisional, isCutShort } = rendered
  // A wall that has replaced the document has no content beneath it.
  const isReplaced = state === 'consent' && fetched.state === 'consent'
  const isShown = state === undefined || (!isReplaced && isShownWithContent(state, rendered, scope))
  const readShown = () =>
    readRendered(isShown ? rendered : { ...rendered, html: EMPTY_DOCUMENT }, fetched, scope, parts)
  const use = (reading: PageReadResult, choice: string) =>
    ({ reading, fetchMode: 'fetch', choice, state, isProvisional, isCutShort }) as const
  const useRendered = (reading: PageReadResult, choice: string) =>
    ({ ...use(reading, choice), fetchMode: 'prerender' }) as const
  if (fetched.failure) return useRendered((await readShown())!, CHOICES.unread)
  if (isUnread(fetched)) {
    const hasPassed = isShown && rendered.statusCode < 400
    return hasPassed
      ? useRendered((await readShown())!, CHOICES.unread)
      : { ...use(fetched, CHOICES.unreadToo), state: state ?? fetched.state }
  }
  // The plain fetch succeeded, so an error status for the browser means that the site refuses browsers.
  const isRefused = rendered.statusCode >= 400 && fetched.statusCode < 400
  if (!fetched.summary?.isShell) {
    // A document that has content is not compared with what a browser shows instead of the content, or in front of it.
    if (state || isRefused) return use(fetched, CHOICES.replaced)
    const reading = await readShown()
    return reading ? useRendered(reading, CHOICES.better) : use(fetched, CHOICES.noBetter)
  }
  // The shell of a form to log in names the form at most.
  if (state === 'login') return use(await readWithoutContent(fetched, scope, parts), CHOICES.login)
  if (!isShown && (!isRefused || capture)) return use(fetched, CHOICES.replaced)
  if (isRefused)
    throw new PageError('EUNREACHABLE', `The page responds to the browser with status ${rendered.statusCode}.`)
  const reading = await readShown()
  return reading ? useRendered(reading, CHOICES.shell) : use(fetched, CHOICES.noBetter)
}

/** A blank screen, and a consent wall at the address of the page, do not replace the page's own document. */
const isShownWithContent = (state: PageState, { url }: RenderedPage, { query }: ExtractionScope) =>
  state === 'blank' || (state === 'consent' && !redirectsToConsentWall(query.url, url))

/** The metadata of the rendered document; `undefined` if the fetched one describes the page better. */
async function readRendered(
  { html, url, statusCode, warnings, timings }: RenderedPage,
  fetched: Fetched,
  scope: ExtractionScope,
  parts: ExtractorParts,
): Promise<PageReadResult | undefined> {
  const page = { ...fetched, url, timings: { ...fetched.timings, ...timings } }
  // The fetched document, if any, is another one, and so is its status.
  const unread = { ...page, statusCode, summary: undefined }
  const reading = await readRenderedPage(html, isUnread(fetched) ? unread : page, scope, parts)
  if (!reading) return undefined
  await assertWanted(fetched, { urls: [], optOut: reading.optOut }, scope, parts)
  const { summary } = fetched
  const data = summary?.isShell ? withMissing(reading.data, fetched.data, summary) : reading.data
  // A field that only the document as fetched states has its candidates from there.
  const fields = reading.fields && withMissingLists(reading.fields, fetched.fields)
  const candidates = reading.candidates && withMissingLists(reading.candidates, fetched.candidates)
  const failures = fetched.failure ? [fetchWarning(fetched.failure)] : []
  return {
    ...reading,
    data,
    candidates,
    fields,
    headers: fetched.headers,
    warnings: [...failures, ...reading.warnings, ...warnings],
  }
}

/** What is known of a page without its content: its address, and the icon of its site. */
async function readWithoutContent(
  fetched: Fetched,
  scope: ExtractionScope,
  parts: ExtractorParts,
): Promise<PageReadResult> {
  const page = { ...fetched, url: scope.query.url, summary: undefined }
  const reading = (await readRenderedPage(EMPTY_DOCUMENT, page, scope, parts))!
  const isOfSite = new URL(fetched.url).host === new URL(page.url).host
  const data = { ...reading.data, ...(isOfSite && fetched.data.logo && { logo: fetched.data.logo }) }
  return { ...reading, data, url: fetched.url, headers: fetched.headers, warnings: fetched.warnings }
}

/**
 * Fills in what the rendered document lacks: some apps remove the declarations of their document. The description of another page is
 * not missing.
 */
const withMissing = (data: PageData, fetched: PageData, { isOfOtherPage }: { isOfOtherPage: boolean }): PageData => ({
  ...fetched,
  ...(isOfOtherPage && 'description' in fetched && { description: null }),
  ...Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null)),
})

function withMissingLists<Lists extends PageCandidates | Explanation['fields']>(
  lists: Lists,
  fetched: Lists | undefined,
): Lists {
  const isEmpty = new Map(Object.entries<Candidate[]>({ ...lists }).map(([field, list]) => [field, list.length === 0]))
  const missing = Object.entries<Candidate[]>({ ...fetched }).filter(([field]) => isEmpty.get(field))
  return { ...lists, ...Object.fromEntries(missing) }
}

const fetchWarning = ({ data, message }: PageError) =>
  `The page could not be fetched without the browser (${data['url'] ?? message}), so its metadata was read from what the browser shows.`

function withoutBrowser(fetched: Fetched, { message }: PageError): Pick<Metadata, 'reading' | 'state'> {
  const { state, statusCode, warnings } = fetched
  const reason = state
    ? `Without a browser, the page ${describeState(state)}`
    : REFUSALS.has(statusCode)
      ? `Without a browser, the page responds with status ${statusCode}`
      : undefined
  const warning = reason
    ? `${reason}, and the browser could not open it: ${message}`
    : `The page has no metadata of its own without its scripts, and they could not be run: ${message}`
  return { reading: { ...fetched, warnings: [...warnings, warning] }, state }
}

/** What a page shows, as it is part of the result. */
interface Content {
  data: Pick<PageData, 'markdown' | 'text'>
  warnings: string[]
  isProvisional: boolean
}

async function readContent(
  capture: ViewedPage | undefined,
  { query, client, signal }: ExtractionScope,
  { contents }: ExtractorParts,
): Promise<Content> {
  const { markdown = false, text = false } = query
  // The state of the page is the reason.
  if (capture?.state) return withoutContent(query)
  if (capture?.content === null) return withoutContent(query, LATE_CONTENT)
  if (!capture?.content) return withoutContent(query, NO_TEXT)
  const reading = await contents.read({ ...capture.content, markdown, text }, { client, signal })
  if ('problem' in reading) return withoutContent(query, reading)
  const { markdown: written, text: plain } = reading
  const isTruncated = [written, plain].some((each) => each?.isTruncated)
  return {
    data: { ...(written && { markdown: written }), ...(plain && { text: plain }) },
    warnings: isTruncated ? ['The content of the page is long; only its beginning was read.'] : [],
    isProvisional: false,
  }
}

const NO_TEXT: UnreadContent = { problem: 'is a file whose text the service does not read', isTemporary: false }
const LATE_CONTENT: UnreadContent = { problem: 'could not be read in time', isTemporary: true }

/** @param unread  Default: the `state` of the page is the reason. */
const withoutContent = ({ markdown, text }: PageQuery, unread?: UnreadContent): Content => ({
  data: { ...(markdown && { markdown: null }), ...(text && { text: null }) },
  warnings: unread ? [`The content of the page ${unread.problem}.`] : [],
  isProvisional: unread?.isTemporary === true,
})

function resultOf(
  { query: { meta }, explainer }: ExtractionScope,
  { reading, fetchMode, choice, isProvisional, isCutShort, ...metadata }: Metadata,
  capture: ViewedPage | undefined,
  content: Content | undefined,
): ExtractedResult {
  const { data, headers, redirects, warnings, timings, isUnverified, candidates, fields = {} } = reading
  const { state } = capture ?? metadata
  const hasPassed = capture && !state && isUnread(reading)
  return {
    data: { ...data, ...content?.data, ...(state && { state }) },
    statusCode: hasPassed ? capture.statusCode : reading.statusCode,
    headers,
    redirects,
    warnings: [
      ...warnings,
      ...(hasPassed && reading.state === 'bot-check' && meta !== false ? [BOT_CHECK_WARNING] : []),
      ...(capture?.warnings ?? []),
      ...(content?.warnings ?? []),
    ],
    fetchMode: meta === false ? 'skipped' : fetchMode,
    ...(candidates && { candidates }),
    ...(explainer && { explanation: explainer.explain({ choice, fields }) }),
    timings: { ...timings, ...capture?.timings },
    ...((isProvisional || reading.isProvisional || capture?.isProvisional || content?.isProvisional) && {
      isProvisional: true,
    }),
    ...(isUnverified && { isUnverified }),
    ...((isCutShort || capture?.isCutShort) && { isCutShort: true }),
  }
}

const isPageType = (contentType: string) => isHtml(contentType) || isUnknownType(contentType)

const isFileResponse = ({ view, statusCode, headers }: PageReadResult) =>
  view === 'none' || (statusCode === 200 && !isPageType(parseContentType(headers['content-type'])))

/** The result of a file without a screenshot; the warnings already say why a PDF has none. */
const withoutScreenshot = (result: ExtractedResult, { view }: PageReadResult): ExtractedResult => ({
  ...result,
  screenshot: null,
  warnings: view === 'none' ? result.warnings : [...result.warnings, DOWNLOAD_WARNING],
})

function screenshotOf({
  bytes,
  type,
  width,
  height,
  area,
  backgroundColor,
  palette,
}: Capture): NonNullable<ExtractedResult['screenshot']> {
  return {
    width,
    height,
    type,
    size: bytes.byteLength,
    size_pretty: prettyBytes(bytes.byteLength),
    background_color: backgroundColor,
    ...(palette && { palette }),
    area,
  }
}

/** The page with its redirects, and the page that its scripts navigated to, each once. A URL without a host belongs to no site. */
function subjectsOf(
  { url }: PageQuery,
  reading: Pick<PageReadResult, 'url' | 'redirects'>,
  capture: ViewedPage | undefined,
): Subject[] {
  const urls = [url, ...reading.redirects.map((hop) => hop.url), reading.url, capture?.url ?? url]
  return [...new Set(urls.filter((each) => /^https?:/.test(each)).map((each) => subjectOfUrl(each)))]
}
