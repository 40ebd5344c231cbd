import type { PageData, PageQuery } from '../../query/index.js'
import type { ByteBudget, FairQueue, ReservedMemory } from '../budget/index.js'
import { withSpan } from '../tracing/index.js'
import type { DocumentReader } from './create-document-reader.js'
import { redirectsToConsentWall } from '../page-state/index.js'
import { extractMetadata } from './extract-metadata.js'
import { checkHeaders, fetchPage, type PingContext } from './fetch/index.js'
import type { DocumentTask, LinkedMetadata } from './read-document.js'

export interface PageReadResult {
  /** Without screenshot. Fields that were not requested are missing; fields that were not found are `null`. */
  data: PageData
  statusCode: number
  headers: Record<string, string>
  redirects: { statusCode: number; url: string }[]
  /** The final URL, after redirects. */
  url: string
  warnings: string[]
  /** Milliseconds: `load` the page, `read` its metadata, `ping` its URLs. */
  timings: Record<string, number>
  /** Whether the page is an empty shell that its scripts fill. Never true for a bot check or a file. */
  lacksMetadata: boolean
  /** Whether the page shows a bot check instead of its content; then no field has a value. */
  isBotCheck: boolean
  /** Whether the page redirects to a consent wall; then only its URL and its icon have a value. */
  isConsentWall: boolean
}

export interface ReadContext extends Omit<PingContext, 'memory'> {
  documents: DocumentReader
  /** Where the page, and the images whose colours are read, reserve memory. */
  byteBudget: ByteBudget
}

export interface ReadPageContext extends ReadContext {
  /** The queue that the page waits in; see `createFetchQueue`. */
  fetchQueue: FairQueue
  /** Whether it comes before pages without priority. Default: false. */
  hasPriority?: boolean
  /** Languages of the visitor, the preferred one first. Default: English. */
  languages?: readonly string[] | undefined
  /** Checks the page and its redirects, where that differs from the URLs that it names. Default: `guard`. */
  pageGuard?: ReadContext['guard']
}

/** More is not parsed, so it is not sent to the worker. */
const MAX_HTML_CHARS = 1_000_000

/**
 * Fetches a page and extracts its metadata, without a browser. With `ping`, every URL in the result is reachable.
 *
 * @param query  Without the service's API key, because all of its `headers` are sent to the page.
 * @throws  {PageError} as `fetchPage`, `DocumentReader` and the queue do; an aborted `signal` throws its own reason.
 */
export async function readPage(
  query: PageQuery,
  { fetchQueue, byteBudget, hasPriority, languages, pageGuard, ...context }: ReadPageContext,
): Promise<PageReadResult> {
  const { url, headers = {} } = query
  const { client, guard, signal } = context
  checkHeaders(headers)
  const readNow = async (memory: ReservedMemory) => {
    const startedAt = performance.now()
    const fetch = () => fetchPage(url, { ...context, guard: pageGuard ?? guard, headers, languages, memory })
    const page = await withSpan('page.fetch', fetch, { 'server.address': new URL(url).host })
    const load = performance.now() - startedAt
    return extract(page, query, { ...context, redirects: page.redirects, timings: { load }, memory })
  }
  // The page leaves the queue only after its linked metadata was read, because its HTML is then read again.
  return fetchQueue.run({ client, hasPriority }, () => byteBudget.run(client, readNow), signal)
}

/**
 * Extracts the metadata of a page again, from the document after its scripts have run, in which the browser has seen its content.
 *
 * @param html     The serialised document, of any length.
 * @param fetched  The result for the same page as fetched; its status, headers, redirects and URL are returned unchanged.
 * @throws         {PageError} as `DocumentReader` does; the reason of an aborted `signal`.
 */
export function readRenderedPage(
  html: string,
  { statusCode, headers, redirects, url, timings }: PageReadResult,
  query: PageQuery,
  { byteBudget, ...context }: ReadContext,
): Promise<PageReadResult> {
  const document = { contentType: 'text/html', html: html.slice(0, MAX_HTML_CHARS), isContent: true }
  const page = { statusCode, headers, url, ...document }
  return byteBudget.run(context.client, (memory) => extract(page, query, { ...context, redirects, timings, memory }))
}

interface ExtractOptions
  extends PingContext, Pick<ReadContext, 'documents'>, Pick<PageReadResult, 'redirects' | 'timings'> {}

async function extract(
  { url, statusCode, headers, contentType, html, isContent }: DocumentTask,
  query: PageQuery,
  { documents, redirects, timings, ...context }: ExtractOptions,
): Promise<PageReadResult> {
  const startedAt = performance.now()
  const isConsentWall = !isContent && redirectsToConsentWall(query.url, url)
  const urlBehindConsentWall = isConsentWall ? query.url : undefined
  const read = (linked?: LinkedMetadata) =>
    documents.read({ url, statusCode, headers, contentType, html, isContent, linked, urlBehindConsentWall }, context)
  const reading = await read()
  const { data, warnings, pingStartedAt } = await extractMetadata(reading, query, { ...context, pageUrl: url, read })
  return {
    data,
    statusCode,
    headers: { ...headers },
    redirects,
    url,
    warnings,
    timings: { ...timings, read: pingStartedAt - startedAt, ping: performance.now() - pingStartedAt },
    lacksMetadata: reading.lacksMetadata,
    isBotCheck: reading.isBotCheck,
    isConsentWall,
  }
}
