'use client'

import {
  QueryObserver,
  useIsRestoring,
  type NotifyOnChangeProps,
  type QueryClient,
  type QueryObserverResult,
} from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import type { PagePreviewKey } from '../../card/index.js'
import type { PageError } from '../../query/index.js'
import { isDeepEqual } from '../hooks/is-deep-equal.js'
import type { PagePreviewQueryOptions } from './page-preview-query-options.js'
import type { PreviewResult } from './preview-result.js'

interface Demand {
  /** Renders again when the cache entry changes; a result that is cached already is read in any case. */
  isSubscribed: boolean
  /** Fetches when there is no fresh result. */
  isEnabled: boolean
  /** Refetches by itself: at an interval, on focus, on reconnect. */
  isRefreshed: boolean
}

const RENDERED_FIELDS: NotifyOnChangeProps = ['data', 'error', 'isFetching']

/** `useQuery` for a query that may not be needed yet: without options it does nothing. */
export function useOnDemandQuery(
  options: PagePreviewQueryOptions | undefined,
  queryClient: QueryClient,
  { isSubscribed, isEnabled, isRefreshed }: Demand,
): QueryObserverResult<PreviewResult, PageError> | undefined {
  const isRestoring = useIsRestoring()
  const observerFor = useMemo(() => observerCache(queryClient), [queryClient])
  const observer = options && observerFor(options)
  const shouldSubscribe = isSubscribed && !isRestoring

  // Before the subscription, which fetches at once if it is enabled.
  useEffect(() => {
    if (!options) return
    observer?.setOptions({
      ...options,
      enabled: isEnabled,
      refetchInterval: isRefreshed && options.refetchInterval,
      refetchOnWindowFocus: isRefreshed,
      refetchOnReconnect: isRefreshed,
      notifyOnChangeProps: RENDERED_FIELDS,
    })
  }, [observer, options, isEnabled, isRefreshed])
  const subscribe = useCallback(
    (onChange: () => void) => {
      const unsubscribe = shouldSubscribe ? observer?.subscribe(onChange) : undefined
      // Reads what has changed since the component was rendered.
      observer?.updateResult()
      return unsubscribe ?? (() => {})
    },
    [observer, shouldSubscribe],
  )
  const readResult = () => observer?.getCurrentResult()
  return useSyncExternalStore(subscribe, readResult, readResult)
}

type Observer = QueryObserver<PreviewResult, PageError, PreviewResult, PreviewResult, PagePreviewKey>

/** One observer per query key: its options may change with each render, for example an inline `fetch`. */
function observerCache(queryClient: QueryClient): (options: PagePreviewQueryOptions) => Observer {
  let observer: Observer | undefined
  return (options) => {
    if (!observer || !isDeepEqual(observer.options.queryKey, options.queryKey))
      observer = new QueryObserver(queryClient, { ...options, enabled: false })
    return observer
  }
}
