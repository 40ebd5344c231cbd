import { filterData } from '../../card/index.js'
import type { PageData, PageHistory, PageQuery, PageResponse, Screenshot } from '../../query/index.js'
import type { StoredHistory } from '../history/index.js'
import type { RequestScope } from '../request-scope.js'
import type { ImageName } from '../store/index.js'
import type { ExtractionResult } from './extraction-result.js'
import type { ResolvedResult } from './resolve-result.js'

/**
 * The data of a result, with the URLs of its screenshots.
 *
 * @param base  URL of the service, without trailing slash.
 */
export function dataOf(
  { data, screenshot, history }: ExtractionResult,
  { base, query }: Pick<RequestScope, 'base' | 'query'>,
): PageData {
  const urlOf = (image: ImageName) => `${base}/images/${image}`
  return {
    ...data,
    ...(screenshot !== undefined && { screenshot: screenshot && screenshotOf(screenshot, urlOf) }),
    ...(history !== undefined && { history: history && historyOf(history, query.history, urlOf) }),
  }
}

function screenshotOf(
  screenshot: NonNullable<ExtractionResult['screenshot']>,
  urlOf: (image: ImageName) => string,
): Screenshot {
  const { image, area: _, ...properties } = screenshot
  return { url: urlOf(image), ...properties }
}

const historyOf = (
  { versions, ignored }: StoredHistory,
  count: number | undefined,
  urlOf: (image: ImageName) => string,
): PageHistory => ({
  versions: versions.slice(0, count).map(({ screenshot: { image, ...size }, ...version }) => ({
    ...version,
    screenshot: { url: urlOf(image), ...size },
  })),
  ignored,
})

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
