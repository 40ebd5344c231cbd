import prettyBytes from 'pretty-bytes'
import type { Dispatcher } from 'undici'
import type { HostList } from '../../query/help/index.js'
import { fields, type PageQuery } from '../../query/index.js'
import type { ByteBudget, FairQueue } from '../budget/index.js'
import { resolveClip, resolveDevice, resolveVisitor, type Browser, type Capture } from '../browser/index.js'
import type { Images } from '../images/index.js'
import { restrictGuard, type Guard } from '../network/index.js'
import { readPage, type DocumentReader, type PageReadResult } from '../page/index.js'
import { subjectOfUrl, type ImageName, type PurgeableStore, type Subject } from '../store/index.js'
import type { StateCounter } from './create-state-counter.js'
import type { ExtractionResult } from './extraction-result.js'
import { needsPrerender, prerender, type PrerenderedReading } from './prerender.js'

/** The dependencies of an extraction. */
export interface ExtractionContext {
  guard: Guard
  dispatcher: Dispatcher
  /** Where pages wait until they are fetched. */
  fetchQueue: FairQueue
  byteBudget: ByteBudget
  documents: DocumentReader
  browser: Browser
  images: Images
  store: PurgeableStore
  stateCounter: StateCounter
}

export interface ExtractPageOptions {
  /** The client that the page is extracted for; clients take turns in each queue. */
  client: string
  /** The owner of the stored screenshot. */
  owner: string | undefined
  /** Whether the browser opens the page before those without priority. */
  hasPriority: boolean
  signal: AbortSignal
  allowHosts: HostList | undefined
}

export interface Extraction {
  result: ExtractionResult
  images: ImageName[]
  subjects: Subject[]
}

const BOT_CHECK_WARNING = 'The document of the page is that of a bot check, so its metadata could not be read.'

/** Share of the request's timeout: a late capture can then still report whether the page or the browser was too slow. */
const CAPTURE_SHARE = 0.9

/**
 * Reads the metadata of a page and captures its screenshot at the same time; the first failure aborts both. A page that
 * has no metadata without its scripts is read again after they ran.
 *
 * @returns  The result, the names of the stored images that it refers to, and the pages that it shows.
 * @throws   {PageError} `EINVALQUERY` for an unknown device, locale or time zone and for a clip without area, and the errors of reading, of the network guard and of the browser.
 */
export async function extractPage(
  query: PageQuery,
  { guard, ...dependencies }: ExtractionContext,
  options: ExtractPageOptions,
): Promise<Extraction> {
  const context = { ...dependencies, guard: guard.forPage() }
  // Parameters for the browser are validated even where none is needed.
  resolveDevice(query)
  resolveClip(query)
  const { languages } = resolveVisitor(query)
  const startedAt = performance.now()
  const timeoutMs = Number(query.timeout ?? fields.timeout.default)
  const [fetched, capture] = await readAndCapture(query, context, { ...options, languages, timeoutMs })
  const remainingMs = timeoutMs - (performance.now() - startedAt)
  const prerendered: PrerenderedReading = needsPrerender(query, fetched)
    ? await prerender(fetched, query, { ...context, ...options, capture, remainingMs })
    : { reading: fetched, fetchMode: 'fetch', state: undefined, isProvisional: false, isCutShort: false }

  const result = resultOf(query, prerendered, capture)
  const subjects = subjectsOf(query, prerendered.reading)
  if (result.data.state) context.stateCounter.record(result.data.state, query.url)
  if (!capture) return { result, images: [], subjects }
  if (capture.state) return { result: { ...result, screenshot: null }, images: [], subjects }
  const image = await context.store.writeImage(capture.bytes, capture.type, options.owner)
  return { result: { ...result, screenshot: screenshotOf(capture, image) }, images: [image], subjects }
}

/** The page with its redirects, each once. */
const subjectsOf = ({ url }: PageQuery, reading: PageReadResult): Subject[] => [
  ...new Set([url, ...reading.redirects.map((hop) => hop.url), reading.url].map((each) => subjectOfUrl(each))),
]

async function readAndCapture(
  query: PageQuery,
  { guard, dispatcher, fetchQueue, byteBudget, documents, browser, images }: ExtractionContext,
  {
    client,
    hasPriority,
    signal,
    timeoutMs,
    allowHosts,
    languages,
  }: ExtractPageOptions & { timeoutMs: number; languages: readonly string[] | undefined },
): Promise<[PageReadResult, Capture | undefined]> {
  const failure = new AbortController()
  const either = AbortSignal.any([signal, failure.signal])
  const abortBoth = (error: unknown): never => {
    failure.abort(error)
    throw error
  }
  let fetched: PageReadResult | undefined
  const pageGuard = restrictGuard(guard, allowHosts)
  const owner = { client, hasPriority, signal: either }
  const reading = readPage(query, {
    languages,
    guard,
    pageGuard,
    dispatcher,
    fetchQueue,
    byteBudget,
    documents,
    images,
    ...owner,
  }).then((page) => (fetched = page))
  const needsHtml = () => query.meta !== false && (!fetched || needsPrerender(query, fetched))
  const captureOptions = { ...owner, needsHtml, timeoutMs: timeoutMs * CAPTURE_SHARE, allowHosts }
  return Promise.all([
    reading.catch(abortBoth),
    query.screenshot ? browser.capture(query, captureOptions).catch(abortBoth) : undefined,
  ])
}

function resultOf(
  { meta }: PageQuery,
  { reading, fetchMode, isProvisional, isCutShort, ...prerendered }: PrerenderedReading,
  capture: Capture | undefined,
): ExtractionResult {
  const { data, headers, redirects, warnings, timings, isBotCheck } = reading
  const { state } = capture ?? prerendered
  const hasPassed = isBotCheck && capture && !state
  return {
    data: { ...data, ...(state && { state }) },
    statusCode: hasPassed ? capture.statusCode : reading.statusCode,
    headers,
    redirects,
    warnings: [...warnings, ...(hasPassed && meta !== false ? [BOT_CHECK_WARNING] : []), ...(capture?.warnings ?? [])],
    fetchMode: meta === false ? 'skipped' : fetchMode,
    timings: { ...timings, ...capture?.timings },
    ...((isProvisional || capture?.isProvisional) && { isProvisional: true }),
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
