import { filterData } from '../../card/index.js'
import type { PageData, PageResponse, PageQuery } from '../../query/index.js'
import type { ExtractionResult } from './extraction-result.js'
import type { ResolvedResult } from './resolve-result.js'

/**
 * The data of a result, with the URL of its screenshot.
 *
 * @param base  URL of the service, without trailing slash.
 */
export function dataOf({ data, screenshot }: ExtractionResult, base: string): PageData {
  if (!screenshot) return screenshot === null ? { ...data, screenshot } : data
  const { image, area: _, ...properties } = screenshot
  return { ...data, screenshot: { url: `${base}/images/${image}`, ...properties } }
}

/** The JSON of a result: what the `filter` of the query selects of its data, and how the page responded. */
export function toPageResponse(
  { entry, warnings }: ResolvedResult,
  data: PageData,
  { filter }: PageQuery,
): PageResponse {
  const { statusCode, headers, redirects, candidates, explanation, timings } = entry.body
  const allWarnings = [...entry.body.warnings, ...warnings]
  return {
    status: 'success',
    data: filter === undefined ? data : filterData(data, String(filter)),
    statusCode,
    headers,
    redirects,
    ...(allWarnings.length > 0 && { warnings: allWarnings }),
    ...(candidates && { candidates }),
    ...(explanation && { explanation: { ...explanation, timings } }),
  }
}
