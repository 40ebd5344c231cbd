'use client'

import { previewRequest, type PreviewRequest } from '../../card/index.js'
import type { PageQuery } from '../../query/index.js'
import { useStableValue } from '../deep-equality.js'
import type { PagePreviewQuerySource } from '../props.js'

/** A query with its source. The same object as long as both are equal. */
export interface StableQuery {
  query: PageQuery
  source: PagePreviewQuerySource
}

/** The same object as long as a query and its source are equal. */
export function useStableQuery(query: PageQuery, source: PagePreviewQuerySource): StableQuery {
  const { endpoint, apiKey, fetch, refreshInterval } = source
  return useStableValue({ query, source: { endpoint, apiKey, fetch, refreshInterval } })
}

const requests = new WeakMap<StableQuery, PreviewRequest>()

/** The parsed query. It is parsed on the first call, because most previews of a long page never come near the viewport. */
export function requestOf(stableQuery: StableQuery): PreviewRequest {
  const request = requests.get(stableQuery) ?? previewRequest(stableQuery.query, stableQuery.source)
  requests.set(stableQuery, request)
  return request
}
