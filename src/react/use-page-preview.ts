'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import {
  stableQueryOptions,
  usePreviewData,
  usePreviewQueryClient,
  type UsePagePreviewResult,
  type UseSuspensePagePreviewResult,
} from './use-preview-data.js'
import { useProximity } from './use-proximity.js'
import { usePreviewProps } from './page-preview-provider.js'
import type { CaptureProps, SourceOptions } from './props.js'

/** Which page, and how to get its data. */
export interface UsePagePreviewOptions extends CaptureProps, SourceOptions {}

/**
 * The data and the state of one preview without any markup, to build a card of your own. Never throws: a failure is a state.
 *
 * @example  const [ref, preview] = usePagePreview({ url: 'https://example.com', screenshot: true })
 */
export function usePagePreview(options: UsePagePreviewOptions): UsePagePreviewResult {
  const props = usePreviewProps('usePagePreview', options)
  const [ref, proximity] = useProximity(props)
  return [ref, usePreviewData(props, proximity)]
}

function throwWithoutClient(): never {
  throw new Error('useSuspensePagePreview() needs a QueryClient on a server: put a <QueryClientProvider> around it.')
}

/**
 * `usePagePreview` for components inside `<Suspense>`: there is always a page. It fetches at once, at any distance
 * from the viewport, because a component that suspends has no element yet.
 *
 * On servers it needs a QueryClient from a provider: React renders a component again that has suspended, and only a client from outside
 * still has its result.
 *
 * @throws  {PageError} when there is no result, until a `QueryErrorResetBoundary` is reset; and promises, as `Suspense` expects. On a
 *          server without a QueryClient, an error that says so.
 */
export function useSuspensePagePreview(options: Omit<UsePagePreviewOptions, 'data'>): UseSuspensePagePreviewResult {
  const props = usePreviewProps('useSuspensePagePreview', options)
  const queryOptions = stableQueryOptions(props.stableQuery)
  // This query only suspends; refetching is up to the hook below, which knows whether the preview is near the viewport.
  const { data } = useSuspenseQuery(
    { ...queryOptions, refetchInterval: false, refetchOnWindowFocus: false, refetchOnReconnect: false },
    usePreviewQueryClient(props.options.queryClient, throwWithoutClient),
  )
  const [ref, proximity] = useProximity(props)
  return [ref, usePreviewData(props, proximity, data)]
}
