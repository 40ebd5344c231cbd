import type { QueryClient } from '@tanstack/react-query'
import type { PageQuery } from '../../query/index.js'
import { pagePreviewQueryOptions, type PagePreviewQuerySource } from './page-preview-query-options.js'

/**
 * Asks for a preview before it is shown: on a server, whose answers `HydrationBoundary` takes to the browser, or when a link
 * is pointed at. An answer that is there and fresh is left alone. It never fails: what went wrong, the preview says.
 */
export function prefetchPagePreview(
  queryClient: QueryClient,
  query: PageQuery,
  source?: PagePreviewQuerySource,
): Promise<void> {
  return queryClient.prefetchQuery(pagePreviewQueryOptions(query, source))
}
