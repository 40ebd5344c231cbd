import type { PageData, PageState } from '../../query/index.js'
import { MAX_HTML_CHARS } from './document/metadata-sources.js'
import { type ByteBudget, type FairQueue, type ReservedMemory, createFairQueue } from '../budget/index.js'
import { busyError } from '../busy-error.js'
import type { Explainer } from '../explainer.js'
import type { Images } from '../images/index.js'
import { restrictGuard, type Guard, type GuardedDispatcher } from '../network/index.js'
import type { ExtractionScope } from '../request-scope.js'
import { withSpan } from '../tracing.js'
import type { CandidateLists } from './describe-candidates.js'
import type { DocumentReader } from './create-document-reader.js'
import { extractMetadata } from './extract-metadata.js'
import type { FileView } from './file-document.js'
import { checkHeaders, fetchPage, type FetchedPage } from './fetch/index.js'
import { readPdfFile } from './pdf-file.js'
import { OPT_OUT_HEADER, type OptOut } from './opt-out.js'
import type { DocumentReading, DocumentTask, LinkedMetadata } from './read-document.js'
import type { Robots } from './robots.js'
import type { DocumentSummary } from './script-pages.js'

export interface PageReadResult
  extends CandidateLists, Pick<FetchedPage, 'url' | 'statusCode' | 'headers' | 'redirects' | 'warnings'> {
  /** The data without a screenshot. Fields that were not requested are missing; fields that were not found are `null`. */
  data: PageData
  /** Milliseconds: `load` the page, `read` its metadata, `ping` its URLs. */
  timings: Record<string, number>
  /** Whether an image or another resource could not be verified, because it was slow or its server busy; another time it may be. */
  isUnverified: boolean
  /** See `DocumentReading`. Always `undefined` for a page with a state, and for a file. */
  summary: DocumentSummary | undefined
  /** What the page does not want, as its document or its headers say. */
  optOut?: OptOut | undefined
  /** What the document shows instead of the content of the page; then only its URL and its icon have a value. */
  state: PageState | undefined
  /**
   * What the browser shows instead of a file; `none`: it cannot be shown. Default: what the browser shows by itself, and nothing if it
   * downloads the file.
   */
  view?: FileView | 'none'
  /**
   * Whether the page or the file itself was read only in part, or not yet, so that a later fetch may get more; `isUnverified` is about
   * what it names.
   */
  isProvisional?: boolean
}

/** What reads the pages of a service. */
export interface PageParts {
  /** Checks the URL of each request. */
  guard: Pick<Guard, 'check'>
  dispatcher: GuardedDispatcher
  /** The queue that pages wait in; see `createFetchQueue`. */
  fetchQueue: FairQueue
  documents: DocumentReader
  robots: Robots
  /** Reads the colours of images. */
  images: Images
  /** Where pages, and the images whose colours are read, reserve memory. */
  byteBudget: ByteBudget
}

/**
 * Fetches a page and extracts its metadata, without a browser. With `ping`, every URL in the result is reachable.
 *
 * @param scope      Its allowed hosts apply to the page and its redirects, but not to the URLs that the page names.
 * @param languages  Languages of the visitor, the preferred one first; `undefined`: English.
 * @param screenWidth  Pixels of the screen, as wide as the picture of a PDF gets. Default: it gets none.
 * @throws  {PageError} as `fetchPage`, `DocumentReader` and the queue do; an aborted `signal` throws its own reason.
 */
export async function readPage(
  scope: ExtractionScope,
  languages: readonly string[] | undefined,
  parts: PageParts,
  screenWidth?: number,
): Promise<PageReadResult> {
  const { query, client, waiters, signal, hasPriority, allowedHosts, explainer } = scope
  const { url, headers = {} } = query
  checkHeaders(headers)
  const guard = restrictGuard(parts.guard, allowedHosts)
  const readNow = async (memory: ReservedMemory) => {
    const startedAt = performance.now()
    const request = { guard, dispatcher: parts.dispatcher, signal, headers, languages, memory, explainer }
    const fetch = () => fetchPage(url, request)
    const page = await withSpan('page.fetch', fetch, { 'server.address': new URL(url).host })
    const timings = { load: performance.now() - startedAt }
    const reading = await extractFile({ ...page, timings }, scope, { ...parts, memory }, screenWidth)
    const warnings = [...page.warnings, ...reading.warnings]
    return { ...reading, warnings, ...(page.isCutOff && { isProvisional: true }) }
  }
  // The page leaves the queue only after its linked metadata was read, because its HTML is then read again.
  return parts.fetchQueue.run({ client, waiters, hasPriority }, () => parts.byteBudget.run(client, readNow), signal)
}

/**
 * Extracts the metadata of a page again, from the document after its scripts have run, in which the browser has seen its content.
 *
 * @param html     The serialised document, of any length.
 * @param fetched  The result for the same page as fetched; its status, headers, redirects and URL are returned unchanged.
 * @returns        `undefined` if the document as fetched describes the page better.
 * @throws         {PageError} as `DocumentReader` does; the reason of an aborted `signal`.
 */
export function readRenderedPage(
  html: string,
  { statusCode, headers, redirects, url, timings, summary }: PageReadResult,
  scope: ExtractionScope,
  parts: PageParts,
): Promise<PageReadResult | undefined> {
  // The worker reads no more, so no more is sent to it.
  const document = { contentType: 'text/html', html: html.slice(0, MAX_HTML_CHARS), isContent: true, before: summary }
  const page = { statusCode, headers, url, redirects, timings, ...document }
  return parts.byteBudget.run(scope.client, (memory) => extract(page, scope, { ...parts, memory }))
}

/** The result for a page that wants no preview: of its fields that are requested, only the URL has a value. Nothing is requested. */
export function readOptedOutPage(
  page: Pick<PageReadResult, 'statusCode' | 'headers' | 'redirects'>,
  scope: ExtractionScope,
  parts: PageParts,
): Promise<PageReadResult> {
  const { url } = scope.query
  const headers = { ...page.headers, [OPT_OUT_HEADER]: 'none' }
  const document = { ...page, url, headers, contentType: 'text/html', html: '', timings: {} }
  const read = async (memory: ReservedMemory) => (await extract(document, scope, { ...parts, memory }))!
  return parts.byteBudget.run(scope.client, read)
}

/** Reads a page as fetched, or the file that it is. */
async function extractFile(
  { file, ...page }: FetchedPage & Pick<PageReadResult, 'timings'>,
  scope: ExtractionScope,
  parts: PageParts & { memory: ReservedMemory },
  screenWidth: number | undefined,
): Promise<PageReadResult> {
  const { query, client, signal } = scope
  const needsView = Boolean(query.screenshot)
  // Only a document after its scripts have run can be worse than one before.
  const read = async (task: Parameters<typeof extract>[0]) => (await extract(task, scope, parts))!
  if (!file) return read(page)
  if (file.kind === 'pdf') {
    const width = needsView ? screenWidth : undefined
    const pdf = await readPdfFile(file, { ...page, width }, { images: parts.images, client, signal })
    const { pages, view, warnings, isTemporary, facts } = pdf
    const reading = await read({ ...page, facts })
    const hasPages = pages !== undefined && query.meta !== false && typeof query.meta !== 'object'
    return {
      ...reading,
      data: { ...reading.data, ...(hasPages && { pages }) },
      warnings: [...reading.warnings, ...warnings],
      isProvisional: isTemporary,
      view: view === undefined ? 'none' : { html: view, isPicture: true },
    }
  }
  const textFile = file.bytes && { kind: file.kind, bytes: file.bytes }
  return read({ ...page, textFile, needsView })
}

async function extract(
  page: DocumentTask & Pick<PageReadResult, 'redirects' | 'timings'>,
  { query, client, signal, explainer }: ExtractionScope,
  { documents, robots, guard, dispatcher, images, memory }: PageParts & { memory: ReservedMemory },
): Promise<PageReadResult | undefined> {
  const { redirects, timings, ...document } = page
  const { url, statusCode, headers } = document
  const pingParts = { guard, dispatcher, images, memory, client, signal }
  const startedAt = performance.now()
  const requestedUrl = query.url
  const isExplained = query.explain === true || query.candidates === true
  const task = { ...document, requestedUrl, isExplained, ignoresOptOut: robots.areIgnored }
  const read = (linked?: LinkedMetadata) => documents.read({ ...task, linked }, { client, signal })
  const reading = await read()
  if (reading.isWorse) return undefined
  if (explainer && reading.shown && !document.isContent)
    explainFetched(explainer, page, reading, query.headers?.['user-agent'] ?? dispatcher.userAgent)
  const pingStartedAt = performance.now()
  const metadata = await extractMetadata(reading, { query, pageUrl: url, read }, pingParts)
  return {
    data: metadata.data,
    statusCode,
    headers: { ...headers },
    redirects,
    url,
    warnings: metadata.warnings,
    timings: { ...timings, read: pingStartedAt - startedAt, ping: performance.now() - pingStartedAt },
    isUnverified: metadata.isUnverified,
    candidates: metadata.candidates,
    fields: metadata.fields,
    summary: reading.summary,
    ...(reading.optOut && { optOut: reading.optOut }),
    state: reading.state,
    ...(reading.view !== undefined && { view: { html: reading.view, isPicture: false } }),
  }
}

/** Says what the service got by itself. */
function explainFetched(
  explainer: Explainer,
  { url, statusCode }: Pick<DocumentTask, 'url' | 'statusCode'>,
  { shown, state }: DocumentReading,
  userAgent: string,
): void {
  const { title = null, textChars = 0, stateReason } = shown ?? {}
  explainer.setDocument({
    by: 'fetch',
    userAgent,
    url,
    statusCode,
    title,
    textChars,
    ...(state && { state, reason: stateReason }),
  })
}

/** Each page may need 8 MB of memory, and several times as much while it is unpacked. */
const MAX_PAGES = 12
/** More places, only for clients with nothing running. */
const RESERVE = 12
const MAX_WAITING = 1_000
const MAX_WAITING_PER_CLIENT = 500

/** Limits how many pages are in memory at the same time; a page that may not wait fails with `EBUSY`. */
export const createFetchQueue = (): FairQueue =>
  createFairQueue({
    concurrency: MAX_PAGES,
    reserve: RESERVE,
    maxWaiting: MAX_WAITING,
    maxWaitingPerClient: MAX_WAITING_PER_CLIENT,
    fullError: () => busyError('Too many pages are being fetched'),
  })
