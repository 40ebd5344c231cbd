'use client'

import { QueryClient, QueryClientContext } from '@tanstack/react-query'
import { useContext } from 'react'
import type { StableQuery } from './stable-query.js'

let sharedClient: QueryClient | undefined

/** The QueryClient of the caller, else the app's, else one that all previews of the document share. */
export function usePreviewQueryClient(callerClient: QueryClient | undefined): QueryClient {
  const appClient = useContext(QueryClientContext)
  return callerClient ?? appClient ?? defaultClient()
}

function defaultClient(): QueryClient {
  // On a server a shared one would hold the results of every page ever rendered.
  if (typeof window === 'undefined') return new QueryClient()
  if (!sharedClient) {
    sharedClient = new QueryClient()
    // Without a QueryClientProvider nothing else mounts it, and then it would not refetch on focus:
    // https://tanstack.com/query/v5/docs/reference/QueryClient
    sharedClient.mount()
  }
  return sharedClient
}

/** Whether the cache holds results of any previews. */
export const hasPreviews = (queryClient: QueryClient): boolean =>
  queryClient.getQueriesData({ queryKey: ['page-preview'] }).length > 0

/** Whether the cache holds a result of this query. */
export const hasCachedResult = (queryClient: QueryClient, { request }: StableQuery): boolean =>
  hasPreviews(queryClient) && queryClient.getQueryData(request().queryKey) !== undefined
