import { queryOptions, type DataTag, type Query, type UnusedSkipTokenOptions } from '@tanstack/react-query'
import { fields, PageError, type PageQuery } from '../../query/index.js'
import type * as AskPage from './fetch-preview.js'
import { COOL_DOWN_MS } from './cool-down.js'
import { filterData, type PagePreviewKey, type PreviewRequest, previewRequest } from '../../card/index.js'
import { renewalPauseMs, type PreviewResult } from './preview-result.js'
import type { ServiceOptions, SourceOptions } from './source-options.js'

type PreviewQuery = Query<PreviewResult, PageError, PreviewResult, PagePreviewKey>

/** Where to ask, and how often to ask again. */
export type PagePreviewQuerySource = ServiceOptions & Pick<SourceOptions, 'refreshInterval'>

/** What react-query needs to know of one preview. */
export type PagePreviewQueryOptions = UnusedSkipTokenOptions<
  PreviewResult,
  PageError,
  PreviewResult,
  PagePreviewKey
> & {
  queryKey: DataTag<PagePreviewKey, PreviewResult, PageError>
}

// A longer timer ends at once: https://developer.mozilla.org/en-US/docs/Web/API/Window/setTimeout#maximum_delay_value
const LONGEST_TIMER_MS = 2 ** 31 - 2

/**
 * The react-query options of one preview, for `useQuery`, `ensureQueryData`, the loaders of a router: what they fetch is what
 * a `<PagePreview>` of the same query shows. They say everything themselves, whatever the defaults of the QueryClient are. A
 * query that cannot be read fails when it is fetched, not here.
 */
export function pagePreviewQueryOptions(
  query: PageQuery,
  source: PagePreviewQuerySource = {},
): PagePreviewQueryOptions {
  return requestOptions(previewRequest(query, source), source)
}

/** The same for a query that was read already. */
export function requestOptions(request: PreviewRequest, source: PagePreviewQuerySource): PagePreviewQueryOptions {
  const { queryKey, json, filter } = request
  return queryOptions<PreviewResult, PageError, PreviewResult, PagePreviewKey>({
    queryKey,
    // What asks is loaded when there is something to ask. The signal is taken at once, or nothing is aborted meanwhile.
    queryFn: async ({ client: cache, signal }) =>
      (await loadFetchPreview()).fetchPreview(request, source, { cache, signal }),
    ...(filter && { select: (answer) => ({ ...answer, data: filterData(answer.data, filter) }) }),
    staleTime: ({ state }: PreviewQuery) => (state.data ? freshMs(state.data, json) : 0),
    refetchInterval: ({ state }: PreviewQuery) => nextPauseMs(state) ?? source.refreshInterval ?? false,
    refetchIntervalInBackground: false,
    refetchOnMount: true,
    refetchOnWindowFocus: true,
    refetchOnReconnect: true,
    // The client has its own patience; and offline is a failure to be told, not to be waited for.
    retry: false,
    networkMode: 'always',
    throwOnError: false,
    placeholderData: undefined,
  })
}

/** Loads what asks; it is not needed before. */
export const loadFetchPreview = (): Promise<typeof AskPage> =>
  import('./fetch-preview.js').catch((cause: unknown) => {
    throw new PageError('EFATALCLIENT', 'A part of page-preview did not load.', { cause })
  })

function nextPauseMs({ data, error, ...at }: PreviewQuery['state']): number | undefined {
  if (error?.status === 429) return Math.min(error.retryAfterMs ?? COOL_DOWN_MS, LONGEST_TIMER_MS)
  return data && renewalPauseMs(data, Math.max(at.dataUpdatedAt, at.errorUpdatedAt))
}

function freshMs({ cache, renewal }: PreviewResult, { staleTtl }: PageQuery): number {
  if (renewal) return 0
  const ttlMs = cache.ttlMs ?? fields.ttl.default
  const lifeMs = typeof staleTtl === 'number' ? Math.min(staleTtl, ttlMs) : ttlMs
  return Math.min(Math.max(0, lifeMs - (cache.ageMs ?? 0)), LONGEST_TIMER_MS)
}
