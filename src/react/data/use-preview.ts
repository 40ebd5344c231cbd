'use client'

import type { QueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { PageError, PageQuery } from '../../query/index.js'
import { coolDownMs } from './cool-down.js'
import type { PreviewResult } from './preview-result.js'
import { type CardImage, chooseImage, toDisplayUrl, type DisplayUrl, previewRequest } from '../../card/index.js'
import { requestOptions } from './page-preview-query-options.js'
import { previewState, type PreviewState, type ReadyPreview } from './preview-state.js'
import type { SourceOptions } from './source-options.js'
import { useLazyQuery } from './use-lazy-query.js'
import { useNearViewport } from './use-near-viewport.js'
import { usePreviewClient } from './use-preview-client.js'
import { useStable } from './use-stable.js'

/** All that is known of a preview beside its state. */
export interface PreviewDetails {
  /** The same for the same page, picture and service; another one when a prop asks for something else. */
  id: string
  /** What the bare address says: the link, which works in every state, and words until there are better ones. */
  address: DisplayUrl
  /** With `embed` it is there from the start. */
  picture: CardImage | undefined
  /** For the element that shows the preview: nothing is asked while it is far from the screen. Unused: always near. */
  ref: (element: Element | null) => void
  /** Asks again now; while the service asks for a pause, it is told so without being asked. */
  refresh: () => void
  /** The reader pressed Retry since this query was asked first. */
  wasRetried: boolean
}

export type UsePagePreviewResult = PreviewState & PreviewDetails

export type UseSuspensePagePreviewResult = ReadyPreview & PreviewDetails

interface WatchedOptions extends SourceOptions {
  /** It is known to be near the screen. */
  isNear?: boolean | undefined
}

/** The data and the state of one preview; with an answer that was waited for, there is always something to show. */
export function usePreview(words: PageQuery, options: WatchedOptions): UsePagePreviewResult
export function usePreview(
  words: PageQuery,
  options: WatchedOptions,
  awaited: PreviewResult,
): UseSuspensePagePreviewResult
export function usePreview(
  words: PageQuery,
  { data: ownData, loading, priority, queryClient, isNear: startsNear, ...service }: WatchedOptions,
  awaited?: PreviewResult,
): PreviewState & PreviewDetails {
  const { hosts, apiKey, fetch, refreshInterval } = service
  const asked = useStable({ words, source: { hosts, apiKey, fetch, refreshInterval } })
  const cache = usePreviewClient(queryClient)
  const isEager = priority || loading === 'eager'
  const { ref, isNear, wasNear } = useNearViewport(isEager, startsNear)

  // Reading a query and watching its answer costs more than all the rest, and most previews of a long page are never seen.
  const isNeeded = Boolean(!ownData && (wasNear || words.embed !== undefined || hasPreviews(cache)))
  const request = useMemo(() => (isNeeded ? previewRequest(asked.words, asked.source) : undefined), [asked, isNeeded])
  const queryOptions = useMemo(() => request && requestOptions(request, asked.source), [asked, request])
  const result = useLazyQuery(queryOptions, cache, {
    isWatched: wasNear,
    isEnabled: isNear || isEager,
    isRefreshed: isNear,
  })

  const { data: answer = awaited, dataUpdatedAt: answeredAt = 0, error = null, isFetching = false } = result ?? {}
  const [failure, setFailure] = useState<{ asked: object; error: PageError }>()
  const [retried, setRetried] = useState<object>()
  if (error && failure?.error !== error) setFailure({ asked, error })
  const lastError = failure?.asked === asked ? failure.error : undefined
  const state = previewState({ ownData, answer, answeredAt, error, isFetching, lastError })

  const isPictured = state.status !== 'failed' && (answer ?? (request && !coolDownMs(cache, request.queryKey[2])))
  return {
    ...state,
    get id() {
      return JSON.stringify(asked)
    },
    address: useMemo(() => toDisplayUrl(words.url), [words.url]),
    picture:
      ownData || isPictured
        ? chooseImage(ownData ?? answer?.data, { history: answer, embed: ownData ? undefined : request?.embed })
        : undefined,
    ref,
    refresh() {
      if (state.status === 'failed') setRetried(asked)
      const current = requestOptions(previewRequest(asked.words, asked.source), asked.source)
      void cache.prefetchQuery({ ...current, staleTime: 0 })
    },
    wasRetried: retried === asked,
  }
}

const hasPreviews = (cache: QueryClient) => cache.getQueriesData({ queryKey: ['page-preview'] })[0]

/** Whether there is an answer that was asked for elsewhere. */
export const hasCachedResult = (
  cache: QueryClient,
  { query, options }: { query: PageQuery; options: SourceOptions },
): boolean => Boolean(hasPreviews(cache) && cache.getQueryData(previewRequest(query, options).queryKey))
