// Its own file because apps import it: some bundlers put all of a file that an app imports at once into its first chunk.

import { previewRequest } from '../card/index.js'
import type { PageQuery } from '../query/index.js'
import type { PagePreviewQuerySource } from './props.js'
import { queryOptionsFor, type PagePreviewQueryOptions } from './fetch-preview.js'

/**
 * The react-query options of one preview, for `useQuery`, `ensureQueryData` and the loaders of a router. They share their
 * cache entry with every `<PagePreview>` of the same query. They set every option that decides when a preview is fetched; the
 * defaults of the QueryClient decide only how long it stays in memory. An invalid query fails when it is fetched, not here.
 *
 * @example  useQuery(pagePreviewQueryOptions({ url: 'https://example.com', screenshot: true }))
 */
export function pagePreviewQueryOptions(
  query: PageQuery,
  source: PagePreviewQuerySource = {},
): PagePreviewQueryOptions {
  return queryOptionsFor(previewRequest(query, source), source)
}
