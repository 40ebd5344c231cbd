'use client'

import {
  QueryObserver,
  useIsRestoring,
  type NotifyOnChangeProps,
  type QueryClient,
  type QueryObserverResult,
} from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import type { PageError } from '../../query/index.js'
import type { PreviewResult } from './preview-result.js'
import type { PagePreviewQueryOptions } from './page-preview-query-options.js'
import type { PagePreviewKey } from '../../card/index.js'
import { sameProps } from './same-props.js'

interface Watching {
  /** Follows what comes into the cache; what is there already is read in any case. */
  isWatched: boolean
  /** Asks when there is nothing, or nothing fresh. */
  isEnabled: boolean
  /** Asks again by itself: after a while, on focus, when the network is back. */
  isRefreshed: boolean
}

const NEEDED: NotifyOnChangeProps = ['data', 'error', 'isFetching']

/** `useQuery` for a query that may not be needed yet: without options it costs nothing. */
export function useLazyQuery(
  options: PagePreviewQueryOptions | undefined,
  cache: QueryClient,
  { isWatched, isEnabled, isRefreshed }: Watching,
): QueryObserverResult<PreviewResult, PageError> | undefined {
  const isRestoring = useIsRestoring()
  const observe = useMemo(() => observing(cache), [cache])
  const observer = options && observe(options)
  const isSubscribed = isWatched && !isRestoring

  // Before the subscription, which asks at once when it may.
  useEffect(() => {
    if (!options) return
    observer?.setOptions({
      ...options,
      enabled: isEnabled,
      refetchInterval: isRefreshed && options.refetchInterval,
      refetchOnWindowFocus: isRefreshed,
      refetchOnReconnect: isRefreshed,
      notifyOnChangeProps: NEEDED,
    })
  }, [observer, options, isEnabled, isRefreshed])
  const subscribe = useCallback(
    (tell: () => void) => {
      const end = isSubscribed ? observer?.subscribe(tell) : undefined
      // What came between rendering and now.
      observer?.updateResult()
      return end ?? (() => {})
    },
    [observer, isSubscribed],
  )
  const read = () => observer?.getCurrentResult()
  return useSyncExternalStore(subscribe, read, read)
}

type Observer = QueryObserver<PreviewResult, PageError, PreviewResult, PreviewResult, PagePreviewKey>

/** One observer for each query, whose options may be others at each render: a `fetch` that is made there is another one. */
function observing(cache: QueryClient): (options: PagePreviewQueryOptions) => Observer {
  let last: Observer | undefined
  return (options) =>
    last && sameProps(last.options.queryKey, options.queryKey)
      ? last
      : (last = new QueryObserver(cache, { ...options, enabled: false }))
}
