import { queryOptions, type Query } from '@tanstack/react-query'
import { createClient } from '../../client/index.js'
import { fields, type PageError, type PageQuery } from '../../query/index.js'
import { decodePicture } from './decode-picture.js'
import { filterData } from './filter-data.js'
import { keepAnswer, pictureUrl, renewalPauseMs, type KeptAnswer } from './kept-answer.js'
import type { ServiceOptions } from '../page-preview-props.js'
import { previewRequest, type PagePreviewKey } from './preview-request.js'

type PreviewFetch = Query<KeptAnswer, PageError, KeptAnswer, PagePreviewKey>

// A longer timer ends at once: https://developer.mozilla.org/en-US/docs/Web/API/Window/setTimeout#maximum_delay_value
const LONGEST_TIMER_MS = 2 ** 31 - 2

/**
 * The react-query options of one preview, for `useQuery`, `prefetchQuery`, `fetchQuery`: what they fetch is what a
 * `<PagePreview>` of the same query shows. A query that cannot be read fails when it is fetched, not here.
 */
export function pagePreviewQueryOptions(
  query: PageQuery,
  { refreshInterval, ...service }: ServiceOptions & { refreshInterval?: number | undefined } = {},
) {
  const client = createClient(service)
  const { queryKey, json, filter } = previewRequest(query, client)
  return queryOptions<KeptAnswer, PageError, KeptAnswer, PagePreviewKey>({
    queryKey,
    async queryFn({ client: cache, signal }) {
      const before = cache.getQueryData<KeptAnswer>(queryKey)
      const state = cache.getQueryState(queryKey)
      const revalidate = before !== undefined || Boolean(state?.errorUpdateCount)
      const result = await client.page(json, { signal, revalidate })
      const answer = keepAnswer(result, before)
      const newPictureUrl = pictureUrl(answer.data)
      // The old answer stays until the new picture can be shown with the new one.
      if (before && newPictureUrl && newPictureUrl !== pictureUrl(before.data))
        await decodePicture(newPictureUrl, signal)
      return answer
    },
    ...(filter && { select: (answer) => ({ ...answer, data: filterData(answer.data, filter) }) }),
    staleTime: ({ state }: PreviewFetch) => (state.data ? freshMs(state.data, json) : 0),
    refetchInterval: ({ state }: PreviewFetch) =>
      (state.data && !state.error ? renewalPauseMs(state.data) : undefined) ?? refreshInterval ?? false,
    // The client has its own patience; and offline is a failure to be told, not to be waited for.
    retry: false,
    networkMode: 'always',
    refetchOnReconnect: true,
    throwOnError: false,
    placeholderData: undefined,
  })
}

function freshMs({ cache, renewal }: KeptAnswer, { staleTtl }: PageQuery): number {
  if (renewal) return 0
  const ttlMs = cache.ttlMs ?? fields.ttl.default
  const lifeMs = typeof staleTtl === 'number' ? Math.min(staleTtl, ttlMs) : ttlMs
  return Math.min(Math.max(0, lifeMs - (cache.ageMs ?? 0)), LONGEST_TIMER_MS)
}
