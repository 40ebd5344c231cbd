import type { Dispatcher } from 'undici'
import type { PageData, PageQuery } from '../../query/index.js'
import type { Guard } from '../network/index.js'
import { checkHeaders } from './check-headers.js'
import { isBotWall } from './bot-wall.js'
import { describeFile } from './describe-file.js'
import { describePage } from './describe-page.js'
import { fetchPage, type FetchedPage } from './fetch-page.js'
import type { PageFacts } from './page-facts.js'
import { scanHtml } from './scan-html.js'

export interface PageReading {
  /** Without screenshot. A field that was not asked for is absent, one that was not found is `null`. */
  data: PageData
  statusCode: number
  headers: Record<string, string>
  redirects: { statusCode: number; url: string }[]
  /** Where the redirects ended. */
  url: string
  warnings: string[]
  /** Milliseconds: `load` the page, `read` its metadata, `ping` what it names. */
  timings: Record<string, number>
  /** What `data` was chosen from. */
  facts: PageFacts
}

export interface ReadOptions {
  guard: Guard
  dispatcher: Dispatcher
  signal: AbortSignal
}

const BOT_WALL = 'The page shows a bot check instead of its content, so nothing is known of what it says.'

/**
 * Fetches a page and reads its metadata, without a browser. With `ping` every address in the result has answered.
 *
 * @throws  {PageError} as `fetchPage` does; an aborted `signal` throws its own reason.
 */
export async function readPage(query: PageQuery, options: ReadOptions): Promise<PageReading> {
  const { apiKey: _, ...headers } = { apiKey: undefined, ...query.headers }
  checkHeaders(headers)
  const start = performance.now()
  const page = await fetchPage(query.url, { ...options, headers })
  const load = performance.now() - start
  return read(page, query, { ...options, timings: { load } })
}

/**
 * Reads the metadata of a page once more, from its document as the scripts of the page have made it.
 *
 * @param html     The document, serialised; no matter how long.
 * @param reading  Of the same page as it was fetched; status, headers, redirects and address stay those of the fetch.
 * @throws         The reason of an aborted `signal`.
 */
export function readRendered(
  html: string,
  { statusCode, headers, redirects, url, timings }: PageReading,
  query: PageQuery,
  options: ReadOptions,
): Promise<PageReading> {
  return read({ statusCode, headers, redirects, url, contentType: 'text/html', html }, query, { ...options, timings })
}

async function read(
  page: FetchedPage,
  query: PageQuery,
  { timings, ...options }: ReadOptions & { timings: Readonly<Record<string, number>> },
): Promise<PageReading> {
  const start = performance.now()
  const found = page.html ? scanHtml(page.html, page.url) : describeFile(page)
  const isWall = isBotWall(page, found)
  const facts = isWall ? scanHtml('', page.url) : found
  const description = await describePage(facts, query, options)
  const { statusCode, headers, redirects, url } = page
  return {
    data: description.data,
    statusCode,
    headers,
    redirects,
    url,
    warnings: [...(isWall ? [BOT_WALL] : []), ...description.warnings],
    timings: { ...timings, read: description.readAt - start, ping: performance.now() - description.readAt },
    facts,
  }
}
