'use client'

import { QueryClient, QueryClientContext } from '@tanstack/react-query'
import { useContext } from 'react'

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
