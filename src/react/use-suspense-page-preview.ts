'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import {
  pagePreviewQueryOptions,
  usePreview,
  usePreviewClient,
  type UseSuspensePagePreviewResult,
} from './data/index.js'
import { splitProps } from './page-preview-props.js'
import { useDefaults } from './page-preview-provider.js'
import type { UsePagePreviewOptions } from './use-page-preview.js'

/**
 * As `usePagePreview`, for inside a `PagePreviewBoundary`: there is always something to show. It asks at once, wherever it is
 * on the page, for what waits has no place yet.
 *
 * @throws  {PageError} while there is no answer; and promises, as React's `Suspense` wants it.
 */
export function useSuspensePagePreview(props: UsePagePreviewOptions): UseSuspensePagePreviewResult {
  const { query, options } = splitProps(useDefaults(props))
  const request = pagePreviewQueryOptions(query, options)
  // This one only waits. What asks again, where it is of use, is the hook below.
  const { data } = useSuspenseQuery(
    { ...request, refetchInterval: false, refetchOnWindowFocus: false, refetchOnReconnect: false },
    usePreviewClient(options.queryClient),
  )
  return usePreview(query, options, data)
}
