import { filterData } from '../../card/index.js'
import type { PageData, PageResponse, ParsedQuery } from '../../query/index.js'
import type { ExtractionResult, ResolvedResult } from '../results/index.js'
import { embedBody, type EmbedBody, type EmbedContext } from './embed-body.js'
import { jsonBody } from './response-body.js'

/**
 * The body of a page's response: the JSON with all data, or what `embed` selects of it.
 *
 * @returns  `undefined` when a stored file is lost; the store has then removed the cache entry that refers to it.
 * @throws   {PageError} `ENOEMBED` for a path without a value, and the errors of fetching an embedded media file.
 */
export async function pageBody(
  result: ResolvedResult,
  parsed: ParsedQuery,
  context: EmbedContext,
): Promise<EmbedBody | undefined> {
  const data = dataOf(result.entry.body, context.base)
  const { embed, filter } = parsed.query
  if (embed !== undefined && embed !== false) return embedBody(result, data, parsed, context)
  return jsonBody(pageResponse(result, filter === undefined ? data : filterData(data, String(filter))))
}

function dataOf({ data, screenshot }: ExtractionResult, base: string): PageData {
  if (!screenshot) return screenshot === null ? { ...data, screenshot } : data
  const { image, ...properties } = screenshot
  return { ...data, screenshot: { url: `${base}/images/${image}`, ...properties } }
}

function pageResponse({ entry, warnings }: ResolvedResult, data: PageData): PageResponse {
  const { statusCode, headers, redirects } = entry.body
  const allWarnings = [...entry.body.warnings, ...warnings]
  return {
    status: 'success',
    data,
    statusCode,
    headers,
    redirects,
    ...(allWarnings.length > 0 && { warnings: allWarnings }),
  }
}
