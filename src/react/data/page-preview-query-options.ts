import {
  queryOptions,
  type DataTag,
  type Query,
  type QueryClient,
  type UnusedSkipTokenOptions,
} from '@tanstack/react-query'
import { filterData, previewRequest, type PagePreviewKey, type PreviewRequest } from '../../card/index.js'
import { fields, type PageError, type PageQuery } from '../../query/index.js'
import type { PagePreviewQuerySource } from '../props/page-preview-props.js'
import { DEFAULT_PAUSE_MS, fetchPreview } from './fetch-preview.js'
import { revalidationPollMs, type PreviewResult } from './preview-state.js'

type CachedQuery = Query<PreviewResult, PageError, PreviewResult, PagePreviewKey>

/** The options of one preview for react-query. */
export type PagePreviewQueryOptions = UnusedSkipTokenOptions<
  PreviewResult,
  PageError,
  PreviewResult,
  PagePreviewKey
> & {
  queryKey: DataTag<PagePreviewKey, PreviewResult, PageError>
}

/** How long to pause after a request without any response. */
const TIMEOUT_PAUSE_MS = 10_000

// A longer timer fires at once: https://developer.mozilla.org/en-US/docs/Web/API/Window/setTimeout#maximum_delay_value
const MAX_TIMER_MS = 2 ** 31 - 2

/**
 * The react-query options of one preview, for `useQuery`, `ensureQueryData` and the loaders of a router. They share their
 * cache entry with every `<PagePreview>` of the same query, and set every option that decides when a preview is fetched,
 * whatever the defaults of the QueryClient; these decide how long it stays in memory. An invalid query fails when it is
 * fetched, not here.
 *
 * @example  useQuery(pagePreviewQueryOptions({ url: 'https://example.com', screenshot: true }))
 */
export function pagePreviewQueryOptions(
  query: PageQuery,
  source: PagePreviewQuerySource = {},
): PagePreviewQueryOptions {
  return queryOptionsFor(previewRequest(query, source), source)
}

/** `pagePreviewQueryOptions` for a query that is parsed already. */
export function queryOptionsFor(
  request: PreviewRequest,
  { fetch, refreshInterval }: Pick<PagePreviewQuerySource, 'fetch' | 'refreshInterval'>,
): PagePreviewQueryOptions {
  const { queryKey, staleTtl, filter } = request
  return queryOptions<PreviewResult, PageError, PreviewResult, PagePreviewKey>({
    queryKey,
    queryFn: ({ client: queryClient, signal }) => fetchPreview(request, { fetch, queryClient, signal }),
    ...(filter && { select: (result) => ({ ...result, data: filterData(result.data, filter) }) }),
    staleTime: ({ state }: CachedQuery) => (state.data ? freshMs(state.data, staleTtl) : 0),
    refetchInterval: ({ state }: CachedQuery) => nextFetchMs(state) ?? refreshInterval ?? false,
    refetchIntervalInBackground: false,
    refetchOnMount: true,
    refetchOnWindowFocus: true,
    refetchOnReconnect: true,
    // The client retries by itself, and being offline is an error to show rather than to wait for.
    retry: false,
    networkMode: 'always',
    throwOnError: false,
    placeholderData: undefined,
  })
}

/**
 * Fetches a preview before it is rendered: on a server, whose results `HydrationBoundary` passes to the browser, or when a
 * link is hovered. A fresh result in the cache is reused. Never rejects: the preview shows the error.
 *
 * @example  await prefetchPagePreview(queryClient, { url: 'https://example.com', screenshot: true })
 */
export function prefetchPagePreview(
  queryClient: QueryClient,
  query: PageQuery,
  source?: PagePreviewQuerySource,
): Promise<void> {
  return queryClient.prefetchQuery(pagePreviewQueryOptions(query, source))
}

function nextFetchMs({ data, error, dataUpdatedAt, errorUpdatedAt }: CachedQuery['state']): number | undefined {
  const pauseMs = error ? retryPauseMs(error) : undefined
  return pauseMs ?? (data && revalidationPollMs(data, Math.max(dataUpdatedAt, errorUpdatedAt)))
}

/** Milliseconds until a failure that is not the page's own is worth another request; `undefined` for a page that fails. */
function retryPauseMs({ code, status, retryAfterMs }: PageError): number | undefined {
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, MAX_TIMER_MS)
  if (status === 429) return DEFAULT_PAUSE_MS
  // Browsers send six requests to a host at once over HTTP/1.1, so that others may never have been sent.
  return code === 'ETIMEOUTCLIENT' ? TIMEOUT_PAUSE_MS : undefined
}

function freshMs({ cache, revalidation }: PreviewResult, staleTtl: PreviewRequest['staleTtl']): number {
  if (revalidation) return 0
  const ttlMs = cache.ttlMs ?? fields.ttl.default
  const lifetimeMs = typeof staleTtl === 'number' ? Math.min(staleTtl, ttlMs) : ttlMs
  return Math.min(Math.max(0, lifetimeMs - (cache.ageMs ?? 0)), MAX_TIMER_MS)
}
