'use client'

import { QueryClient, QueryClientContext } from '@tanstack/react-query'
import { useContext } from 'react'

let pageClient: QueryClient | undefined

/** The given QueryClient, else the app's, else one of our own for the whole page. */
export function usePreviewClient(given: QueryClient | undefined): QueryClient {
  const appClient = useContext(QueryClientContext)
  return given ?? appClient ?? ownClient()
}

function ownClient(): QueryClient {
  // On a server a shared one would keep every page ever rendered.
  if (typeof window === 'undefined') return new QueryClient()
  if (!pageClient) {
    pageClient = new QueryClient()
    // No provider does it, and without it nothing is refetched on focus: https://tanstack.com/query/v5/docs/reference/QueryClient
    pageClient.mount()
  }
  return pageClient
}
