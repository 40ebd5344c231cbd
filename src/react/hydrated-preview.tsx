'use client'

import { QueryClientContext, type QueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, type ReactNode } from 'react'
import type { PreviewResult } from './preview-state.js'
import { requestOf } from '../card/index.js'
import type { StableQuery } from './preview-query.js'
import { usePreviewProps } from './page-preview-provider.js'
import { PagePreview } from './page-preview.js'
import { usePreviewQueryClient } from './use-preview-data.js'
import type { PagePreviewProps } from './props.js'

/** A result that a server has fetched, as it is sent to browsers. */
export interface ServerResult {
  result: PreviewResult
  /** When it arrived, milliseconds since 1970. */
  receivedAt: number
  /** Of its query. */
  cacheKey: string
}

/** Keeps a result of this query unless the cache has a later one. */
function store(cache: QueryClient, stableQuery: StableQuery, serverResult: ServerResult | undefined): void {
  const { queryKey } = requestOf(stableQuery)
  const { dataUpdatedAt = 0 } = cache.getQueryState(queryKey) ?? {}
  if (serverResult?.cacheKey === queryKey[3] && serverResult.receivedAt > dataUpdatedAt)
    cache.setQueryData(queryKey, serverResult.result, { updatedAt: serverResult.receivedAt })
}

interface HydratedPreviewProps extends PagePreviewProps {
  /** Absent when no result reached the server in time. */
  serverResult: ServerResult | undefined
}

/**
 * A preview that starts with the server's result and is kept fresh in the browser. If the defaults of a provider, which servers
 * do not see, have changed the query, the browser fetches its own result.
 */
export function HydratedPreview({ serverResult, ...props }: HydratedPreviewProps): ReactNode {
  const { stableQuery, options } = usePreviewProps('PagePreview', props)
  const cache = usePreviewQueryClient(options.queryClient)
  // While rendering, because the card below shows it in its first render. A later result comes with a navigation, or for other props.
  const queryClient = useMemo(() => {
    const { queryKey } = requestOf(stableQuery)
    // What another render already shows changes only with the effect.
    if (!cache.getQueryCache().find({ queryKey })?.getObserversCount()) store(cache, stableQuery, serverResult)
    return cache
  }, [cache, stableQuery, serverResult])
  useEffect(() => store(cache, stableQuery, serverResult), [cache, stableQuery, serverResult])
  return (
    <QueryClientContext.Provider value={queryClient}>
      <PagePreview {...props} />
    </QueryClientContext.Provider>
  )
}
