'use client'

import type { QueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { chooseImage, toDisplayUrl, type CardImage, type DisplayUrl } from '../../card/index.js'
import type { PageError } from '../../query/index.js'
import { useDevelopmentWarnings } from './use-development-warnings.js'
import { useNearViewport } from '../hooks/use-near-viewport.js'
import { queryOptionsFor } from './page-preview-query-options.js'
import type { PreviewResult } from './preview-result.js'
import { previewState, type PreviewState, type ReadyPreview } from './preview-state.js'
import { rateLimitPauseMs } from './rate-limit-pause.js'
import type { SourceOptions } from './source-options.js'
import { useOnDemandQuery } from './use-on-demand-query.js'
import { hasPreviews } from './cached-results.js'
import type { PreviewQuery } from './use-stable-query.js'
import { usePreviewQueryClient } from './use-preview-query-client.js'

/** The properties of a preview that do not depend on its state. */
export interface PreviewDetails {
  /** Changes with the query and the service: a key for elements that must not outlive them. */
  id: string
  /** The page's URL as it is shown; its `href` is for a link that works in every state. */
  displayUrl: DisplayUrl
  /** With `embed` it is known from the start. */
  image: CardImage | undefined
  /** Fetches again. During a rate limit it fails without a request. */
  refresh: () => void
  /** `refresh` was called after a failure of this query. */
  wasRetried: boolean
}

/** For the root element: nothing is fetched while it is far from the viewport. Unused, the preview counts as near. */
export type PreviewRef = (element: Element | null) => void

/**
 * The ref is separate from the state: for the React Compiler and its lint rules, every value of an object that holds
 * a ref is part of a ref, which must not be read while rendering.
 */
export type UsePagePreviewResult = readonly [ref: PreviewRef, preview: PreviewState & PreviewDetails]

export type UseSuspensePagePreviewResult = readonly [ref: PreviewRef, preview: ReadyPreview & PreviewDetails]

type PreviewDataOptions = Pick<SourceOptions, 'data' | 'loading' | 'priority' | 'queryClient'> & {
  /** The preview is known to be near the viewport. */
  isNear?: boolean | undefined
  /** For warnings in the console: `PagePreview`, the default, or `usePagePreview`. */
  component?: string | undefined
  /** No stylesheet is expected. */
  unstyled?: boolean | undefined
  layout?: unknown
}

/**
 * The data and the state of one preview.
 *
 * @param awaitedResult  From a hook that suspends until there is one; then there is always a page.
 */
export function usePreviewData(
  previewQuery: PreviewQuery,
  options: PreviewDataOptions,
  awaitedResult: PreviewResult,
): UseSuspensePagePreviewResult
export function usePreviewData(previewQuery: PreviewQuery, options: PreviewDataOptions): UsePagePreviewResult
export function usePreviewData(
  previewQuery: PreviewQuery,
  options: PreviewDataOptions,
  awaitedResult?: PreviewResult,
): UsePagePreviewResult {
  const { data: ownData, loading, priority, queryClient: callerClient, isNear: startsNear, component } = options
  const { url, embed } = previewQuery.query
  const queryClient = usePreviewQueryClient(callerClient)
  const isEager = priority || loading === 'eager'
  const { ref, isNear, hasBeenNear } = useNearViewport(isEager, startsNear)

  // Parsing and observing a query costs more than the rest of a preview, and most previews of a long page are never visible.
  const isNeeded = !ownData && (hasBeenNear || embed !== undefined || hasPreviews(queryClient))
  const request = isNeeded ? previewQuery.request() : undefined
  const queryOptions = useMemo(() => request && queryOptionsFor(request, previewQuery.source), [previewQuery, request])
  const query = useOnDemandQuery(queryOptions, queryClient, {
    isSubscribed: hasBeenNear,
    isEnabled: isNear || isEager,
    isRefreshed: isNear,
  })

  const { data: result = awaitedResult, dataUpdatedAt: resultAt = 0, error = null, isFetching = false } = query ?? {}
  const lastError = useLastError(previewQuery, error)
  useDevelopmentWarnings({ component, previewQuery, request, error: error ?? undefined, options })
  const [retriedQuery, setRetriedQuery] = useState<PreviewQuery>()
  const state = previewState({ ownData, result, resultAt, error, isFetching, lastError })
  const isPaused = request && rateLimitPauseMs(queryClient, request.queryKey[2]) > 0
  // An embedded image is a request of its own: none is sent while the service limits the rate, nor after a failure.
  const showsImage = ownData || result || (request && !isPaused && state.status !== 'failed')
  const details: PreviewDetails = {
    get id() {
      return JSON.stringify(previewQuery)
    },
    displayUrl: useMemo(() => toDisplayUrl(url), [url]),
    image: showsImage
      ? chooseImage(ownData ?? result?.data, { history: result, embed: ownData ? undefined : request?.embed })
      : undefined,
    refresh() {
      if (state.status === 'failed') setRetriedQuery(previewQuery)
      refetch(previewQuery, queryClient)
    },
    wasRetried: retriedQuery === previewQuery,
  }
  return [ref, Object.assign(details, state)]
}

/** The latest error of a query; react-query itself drops it when it fetches again. */
function useLastError(previewQuery: PreviewQuery, error: PageError | null): PageError | undefined {
  const [last, setLast] = useState<{ previewQuery: PreviewQuery; error: PageError }>()
  if (error && last?.error !== error) setLast({ previewQuery, error })
  return last?.previewQuery === previewQuery ? last.error : undefined
}

function refetch({ request, source }: PreviewQuery, queryClient: QueryClient): void {
  void queryClient.prefetchQuery({ ...queryOptionsFor(request(), source), staleTime: 0 })
}
