import type { QueryClient } from '@tanstack/react-query'
import type { PreviewQuery } from './use-stable-query.js'

/** Whether the cache holds results of any previews. */
export const hasPreviews = (queryClient: QueryClient): boolean =>
  queryClient.getQueriesData({ queryKey: ['page-preview'] }).length > 0

/** Whether the cache holds a result of this query. */
export const hasCachedResult = (queryClient: QueryClient, { request }: PreviewQuery): boolean =>
  hasPreviews(queryClient) && queryClient.getQueryData(request().queryKey) !== undefined
