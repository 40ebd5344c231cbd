'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { queryOptionsFor } from './data/page-preview-query-options.js'
import { usePreviewData, type UseSuspensePagePreviewResult } from './data/use-preview-data.js'
import { useStableQuery } from './data/use-stable-query.js'
import { usePreviewQueryClient } from './data/use-preview-query-client.js'
import { useProviderDefaults } from './page-preview-provider.js'
import { splitProps } from './props/split-props.js'
import type { UsePagePreviewOptions } from './use-page-preview.js'

/**
 * `usePagePreview` for components inside a `PagePreviewBoundary`: there is always a page. It fetches at once, at any distance
 * from the viewport, because a component that suspends has no element yet.
 *
 * @throws  {PageError} when there is no result; and promises, as `Suspense` expects.
 */
export function useSuspensePagePreview(props: UsePagePreviewOptions): UseSuspensePagePreviewResult {
  const { query, options } = splitProps(useProviderDefaults(props))
  const previewQuery = useStableQuery(query, options)
  const queryOptions = queryOptionsFor(previewQuery.request(), previewQuery.source)
  // This query only suspends; refetching is up to the hook below, which knows whether the preview is near the viewport.
  const { data } = useSuspenseQuery(
    { ...queryOptions, refetchInterval: false, refetchOnWindowFocus: false, refetchOnReconnect: false },
    usePreviewQueryClient(options.queryClient),
  )
  return usePreviewData(previewQuery, { ...options, component: 'useSuspensePagePreview' }, data)
}
