'use client'

import { useMemo } from 'react'
import { previewRequest, type PreviewRequest } from '../../card/index.js'
import type { PageQuery } from '../../query/index.js'
import { useStableValue } from '../hooks/use-stable-value.js'
import type { PagePreviewQuerySource } from './page-preview-query-options.js'

/** A query with its source. The same object as long as both are equal. */
export interface PreviewQuery {
  query: PageQuery
  source: PagePreviewQuerySource
  /** Parses the query on the first call, because most previews of a long page never come near the viewport. */
  request: () => PreviewRequest
}

/** The same object as long as a query and its source are equal. */
export function useStableQuery(query: PageQuery, source: PagePreviewQuerySource): PreviewQuery {
  const { hosts, apiKey, fetch, refreshInterval } = source
  const stable = useStableValue({ query, source: { hosts, apiKey, fetch, refreshInterval } })
  return useMemo(() => {
    let request: PreviewRequest | undefined
    return { ...stable, request: () => (request ??= previewRequest(stable.query, stable.source)) }
  }, [stable])
}
