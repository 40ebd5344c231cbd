import type { QueryClient } from '@tanstack/react-query'
import type { PageQuery } from '../../query/index.js'
import { pagePreviewQueryOptions, type PagePreviewQuerySource } from './page-preview-query-options.js'

/**
 * Fetches a preview before it is rendered: on a server, whose results `HydrationBoundary` passes to the browser, or when a
 * link is hovered. A fresh result in the cache is reused. Never rejects: the preview shows the error.
 *
 * @example  await prefetchPagePreview(queryClient, { url: 'https://example.com', screenshot: true })
 */
export function prefetchPagePreview(
  queryClient: QueryClient,
  query: PageQuery,
  source?: PagePreviewQuerySource,
): Promise<void> {
  return queryClient.prefetchQuery(pagePreviewQueryOptions(query, source))
}
