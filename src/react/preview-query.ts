'use client'

// The query of a preview, and the QueryClient that may have its result. Its own file because screenshots load no more of the data with their first render.

import { QueryClientContext, replaceEqualDeep, type QueryClient } from '@tanstack/react-query'
import { useContext, useState, useSyncExternalStore } from 'react'
import type { PageQuery } from '../query/index.js'
import type { PagePreviewQuerySource } from './props.js'

/** A query with its source. The same object as long as both are equal. */
export interface StableQuery {
  query: PageQuery
  source: PagePreviewQuerySource
}

let sharedClient: QueryClient | undefined

/** Makes a client the one of all previews that have none of their own, unless there is one already. */
export function shareClient(queryClient: QueryClient): QueryClient {
  if (!sharedClient) {
    sharedClient = queryClient
    // Without a QueryClientProvider nothing else mounts it, and then it would not refetch on focus:
    // https://tanstack.com/query/v5/docs/reference/QueryClient
    queryClient.mount()
  }
  return queryClient
}

/** The subscription to a value that differs only during hydration. */
export const neverChanges = () => () => {}

/**
 * The caller's QueryClient, else the app's, else the one that all previews of the document share, if there is one yet. During hydration there
 * is none, because the server had none either.
 */
export function useKnownQueryClient(callerClient: QueryClient | undefined): QueryClient | undefined {
  const appClient = useContext(QueryClientContext)
  const documentClient = useSyncExternalStore(
    neverChanges,
    () => sharedClient,
    () => undefined,
  )
  return callerClient ?? appClient ?? documentClient
}

/** The same reference as long as the value is deeply equal: `viewport={{ width: 320 }}` is a new object in each render. */
export function useStableValue<T>(value: T): T {
  const [stabilise] = useState(createStabiliser<T>)
  return stabilise(value)
}

// Not React state: a value that is never equal, such as an inline function, would cause one more render forever.
function createStabiliser<T>(): (value: T) => T {
  let current: T
  return (value) => (current = replaceEqualDeep(current, value))
}

/** Whether two values are equal by content; functions by identity. Also the comparison for `memo`. */
export function isDeepEqual<T>(before: T, after: T): boolean {
  return replaceEqualDeep(before, after) === before
}
