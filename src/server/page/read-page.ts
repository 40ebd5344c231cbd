import type { PageData, PageQuery } from '../../query/index.js'
import { parseHtml, type MetadataSources } from './document/index.js'
import { extractMetadata } from './extract-metadata.js'
import { checkHeaders, fetchPage, type FetchContext, type FetchedPage } from './fetch/index.js'
import { fileSources } from './file-sources.js'
import { isBotCheck } from './is-bot-check.js'

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
  /** What `data` was selected from. */
  sources: MetadataSources
}

const BOT_CHECK_WARNING = 'The page shows a bot check instead of its content, so its metadata could not be read.'

/**
 * Fetches a page and extracts its metadata, without a browser. With `ping`, every URL in the result is reachable.
 *
 * @param query  Without the service's API key, because all of its `headers` are sent to the page.
 * @throws  {PageError} as `fetchPage` does; an aborted `signal` throws its own reason.
 */
export async function readPage(query: PageQuery, context: FetchContext): Promise<PageReadResult> {
  const { url, headers = {} } = query
  checkHeaders(headers)
  const startedAt = performance.now()
  const page = await fetchPage(url, { ...context, headers })
  const load = performance.now() - startedAt
  return extract(page, query, { ...context, timings: { load } })
}

/**
 * Extracts the metadata of a page again, from the document after its scripts have run.
 *
 * @param html     The serialised document, of any length.
 * @param fetched  The result for the same page as fetched; its status, headers, redirects and URL are returned unchanged.
 * @throws         The reason of an aborted `signal`.
 */
export function readRenderedPage(
  html: string,
  { statusCode, headers, redirects, url, timings }: PageReadResult,
  query: PageQuery,
  context: FetchContext,
): Promise<PageReadResult> {
  const page = { statusCode, headers, redirects, url, contentType: 'text/html', html }
  return extract(page, query, { ...context, timings })
}

async function extract(
  page: FetchedPage,
  query: PageQuery,
  { timings, ...context }: FetchContext & { timings: Readonly<Record<string, number>> },
): Promise<PageReadResult> {
  const startedAt = performance.now()
  const pageSources = page.html ? parseHtml(page.html, page.url) : fileSources(page)
  const isCheck = isBotCheck(page, pageSources)
  const sources = isCheck ? parseHtml('', page.url) : pageSources
  const { data, warnings, pingStartedAt } = await extractMetadata(sources, query, context)
  const { statusCode, headers, redirects, url } = page
  return {
    data,
    statusCode,
    headers,
    redirects,
    url,
    warnings: [...(isCheck ? [BOT_CHECK_WARNING] : []), ...warnings],
    timings: { ...timings, read: pingStartedAt - startedAt, ping: performance.now() - pingStartedAt },
    sources,
  }
}
